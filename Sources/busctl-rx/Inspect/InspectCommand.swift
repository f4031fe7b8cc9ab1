import Bus
import Records
import TapBridge
import Timers

/// `busctl-rx inspect TAP`
struct InspectCommand: Command {
    static let name = "inspect"
    static let summary = "Show what a running program is subscribed to, and which subscriber lags."
    static let usage = "busctl-rx inspect [<options>] <tap>"
    static let discussion = """
        The program must serve a tap. The tap is the path of its socket, or a name that 'busctl-rx sources' lists. It shows the topics of \
        the program's notification bus, the busiest first; the subscribers of the bus with the line of source that made each, those \
        that lost most or lag most first; the clients that watch; the program's jobs; and, where the program lists them, its subscriptions to any signal.

          busctl-rx inspect /run/deployer.tap
          busctl-rx inspect --every 1s deployer

        WAITING values wait for a subscriber, of LIMIT at most, and MOST did at one time. It has PAUSED for so long, and the oldest value that \
        waits is as old as LAG says.

        Of a job, NEXT is when the next run or the next attempt of one that failed is due, in UTC. RUNNING attempts run in this program, and WAITING runs wait for others, for a \
        retry or for their time. MISSED times were left out since the last run. LAST says how the last run ended and which time it was \
        for, or why the job's store cannot be used. A LEASE is held, with the number of the grant; wanted, while \
        there is something to run and another instance has it (with its host and process, if they are known), or until the runs of a lease that was lost have returned; unreachable; or \
        idle, while there is nothing to run.

        Exit status: 0, 2 usage, 3 the program cannot be reached or ends. SIGHUP, SIGINT and SIGTERM end it as they end \
        any program (129, 130 and 143 in a shell).
        """

    static var options: [CommandOption<Self>] {
        [
            .value(
                "--every",
                of: "duration",
                brief: "ask again after each such time",
                help: "Ask again after each such time; on a terminal, draw the tables anew."
            ) { $0.every = try Duration(argument: $1) },
            .value(
                "--top",
                of: "count",
                brief: "show so many rows of each table",
                help: "Show so many rows of each table at most. Default: 20."
            ) {
                $0.top = try WholeNumber.parse($1, example: "--top 3")
            },
            .flag(
                "--json",
                brief: "write the tap's answer as JSON",
                help: "Write what the tap answers: an object of JSON a line."
            ) { $0.json = true },
        ]
    }

    static var operands: [CommandOperand<Self>] {
        [
            CommandOperand(name: "tap", help: "The tap: a path or a name.") {
                $0.tap = try TapArgument(argument: $1).path
            }
        ]
    }

    var every: Duration?
    var top: Int?
    var json = false
    /// The path of its socket.
    var tap = ""

    func validate() throws {
        if json, top != nil {
            throw ValidationError("--top shortens tables, and --json writes none. Give one of them.")
        }
    }

    func run() throws {
        throw try InspectRun(tap, every: every, rows: top ?? 20, isJSON: json).run()
    }
}

/// One run of `inspect`.
struct InspectRun: Sendable {
    private let client: TapClient
    private let period: Duration?
    private let rows: Int
    private let isJSON: Bool
    private let isRedrawn: Bool
    private let drawn = RedrawnText(showsBeginning: true)
    private let before = Lock<TapInspection?>(nil)
    private let output = StandardOutput()

    init(_ path: String, every period: Duration?, rows: Int, isJSON: Bool) {
        client = TapClient(path: path)
        self.period = period
        self.rows = rows
        self.isJSON = isJSON
        isRedrawn = period != nil && !isJSON && StandardDescriptors.isOutputTerminal
    }

    /// Blocks until the program has answered, or until the run is interrupted.
    func run() throws(ExitStatus) -> ExitStatus {
        // The writing thread waits for the reader of the output.
        let asking = ThreadScheduler(name: "busctl-input")
        let status = try TapQuestion.ask(client.path, inspections(on: asking), pause: period ?? .zero, write)
        output.close()
        guard let failure = output.reportableFailure else { return status }
        StandardError.report(failure)
        return .sourceLost
    }

    private func inspections(on scheduler: ThreadScheduler) -> AnySignal<TapInspection, TapClientError> {
        guard let period else { return client.inspection(on: scheduler).eraseToAnySignal() }
        return Signals.interval(every: period)
            .map { _ in () }
            .prepend(())
            .promoteFailure(to: TapClientError.self)
            // A tick that comes while the program has not answered is left out.
            .flatMap(.first) { client.inspection(on: scheduler) }
            .eraseToAnySignal()
    }

    private func write(_ inspection: TapInspection) {
        let before = self.before.withLock { before in
            defer { before = inspection }
            return before
        }
        if isJSON {
            output.append(inspection.json + Array("\n".utf8))
        } else {
            let text = InspectText(before: before, rows: rows).text(of: inspection)
            output.append(isRedrawn ? drawn.replacing(with: text) : Array(((before == nil ? "" : "\n") + text).utf8))
        }
        output.flush()
    }
}
