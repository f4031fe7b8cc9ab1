import Foundation
import Glibc
import TestSupport

/// The real `busctl-rx`, running, with all its output. Only one thread may use it.
final class TailProcess {
    /// What one of the process's standard descriptors is connected to.
    enum Stream {
        case pipe
        case closed
        /// Opened for reading and for writing.
        case file(String)
        /// A terminal that passes on every byte unchanged. Not for standard input.
        case terminal
    }

    struct Ended: Equatable {
        var status: Int32
        var output: String
        var errors: String
    }

    static let program: String = {
        let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (runner as NSString).deletingLastPathComponent + "/busctl-rx"
    }()

    private(set) var pid: pid_t = 0
    private(set) var output = Data()
    private(set) var errors = Data()
    private var input: Descriptor?
    private var outputPipe: Descriptor?
    private var errorPipe: Descriptor?
    /// Reaches its end when the process is gone, whatever happened to its standard descriptors.
    private var life: Descriptor?
    private var status: Int32?

    /// - Parameters:
    ///   -   - arguments: the arguments after the program's name, in bytes. They need not be UTF-8.
    ///   -   - program: another program to run and observe in the same way.
    ///   -   - isRead: whether its output is read as it arrives. If not, the pipe fills up.
    init(
        bytes arguments: [[UInt8]],
        input: Stream = .file("/dev/null"),
        output: Stream = .pipe,
        errors: Stream = .pipe,
        environment: [String: String] = ["LANG": "C", "TZ": "UTC"],
        program: String = TailProcess.program
    ) throws {
        // If the process ended early, `write` reports an error instead of ending the tests.
        signal(SIGPIPE, SIG_IGN)
        let plan = try SpawnPlan()
        self.input = try plan.connect(input, to: 0)
        outputPipe = try plan.connect(output, to: 1)
        errorPipe = try plan.connect(errors, to: 2)
        life = try plan.connect(.pipe, to: 9)
        pid = try plan.spawn(program, arguments, Self.withoutConfiguration(environment))
    }

    convenience init(
        _ arguments: [String],
        input: Stream = .file("/dev/null"),
        output: Stream = .pipe,
        errors: Stream = .pipe,
        environment: [String: String] = ["LANG": "C", "TZ": "UTC"],
        program: String = TailProcess.program
    ) throws {
        try self.init(
            bytes: arguments.map { Array($0.utf8) },
            input: input,
            output: output,
            errors: errors,
            environment: environment,
            program: program
        )
    }

    deinit {
        guard status == nil, pid > 0 else { return }
        kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    /// Tests must not read the configuration of the user who runs them. A test that sets a home directory means the
    /// file in it.
    private static func withoutConfiguration(_ environment: [String: String]) -> [String: String] {
        let hasHome = environment["HOME"] != nil || environment["XDG_CONFIG_HOME"] != nil
        return hasHome ? environment : environment.merging(["BUSCTL_RX_CONFIG": ""]) { own, _ in own }
    }

    // MARK: Talking to it

    func write(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(
                    input?.number ?? -1,
                    UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                    rest.count
                )
                guard count > 0 else { throw Command.Failure(description: "busctl-rx took no input, errno \(errno)") }
                rest = rest.dropFirst(count)
            }
        }
    }

    func closeInput() { input = nil }

    /// Has the effect of the end of the program that reads its output.
    func closeOutput() { outputPipe = nil }

    func send(_ signal: Int32) { kill(pid, signal) }

    // MARK: Waiting

    func wait(forOutput text: String) throws {
        try wait("\"\(text)\" on its standard output") { [self] in output.range(of: Data(text.utf8)) != nil }
    }

    /// - Parameter count: how often the text is to be there.
    func wait(forErrors text: String, times count: Int = 1) throws {
        try wait("\"\(text)\" on its standard error, \(count) times") { [self] in
            String(decoding: errors, as: UTF8.self).ranges(of: text).count >= count
        }
    }

    /// Waits until it has notified the service manager that it hears everything.
    /// - Parameter manager: the socket that is named in its NOTIFY_SOCKET.
    func waitUntilReady(_ manager: DatagramReceiver) throws {
        try wait("it to say that it is ready") {
            ((try? manager.receiveAll()) ?? []).contains { $0.lines == ["READY=1"] }
        }
    }

    func waitForMoreOutput() throws {
        let count = output.count
        try wait("more on its standard output") { [self] in output.count > count }
    }

    /// Waits until the unread pipe is full and the process has to wait.
    func waitUntilOutputIsFull() throws {
        try wait("its output to be full", reading: false) { [self] in
            // Another writing end shows this. How many bytes fill a pipe depends on how they were written.
            let writing = open("/proc/self/fd/\(outputPipe?.number ?? -1)", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            defer { close(writing) }
            var polled = pollfd(fd: writing, events: Int16(POLLOUT), revents: 0)
            return writing >= 0 && poll(&polled, 1, 0) == 0
        }
    }

    /// Waits until it handles SIGTERM itself. Before that, the signal would just kill it.
    func waitUntilTakingSignals() throws {
        try wait("it to block SIGTERM") { [self] in
            let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
            let blocked = line.flatMap { UInt64($0.dropFirst(7).drop { $0 == "\t" }, radix: 16) } ?? 0
            // While a thread is being started, nearly all signals are blocked for a moment.
            return blocked & 1 << UInt64(SIGTERM - 1) != 0 && blocked & 1 << UInt64(SIGQUIT - 1) == 0
        }
    }

    /// Waits until it has read the whole journal and waits for more. It does not report this, but its reader polls only
    /// then.
    func waitUntilFollowing() throws {
        try wait("its reader to wait for more") { [self] in isReaderPolling }
    }

    private var isReaderPolling: Bool { call(of: "bus-journal").map { $0[0] == Self.pollCall } ?? false }

    /// Waits until the thread of that name waits in a write to the descriptor.
    func waitUntilWriting(thread: String, to descriptor: Int32) throws {
        try wait("\(thread) to write to \(descriptor)") { [self] in
            call(of: thread).map { $0 == [Self.writeCall, "0x\(String(descriptor, radix: 16))"] } ?? false
        }
    }

    /// The system call in which the thread of that name waits, and its first argument.
    private func call(of name: String) -> [String]? {
        let folder = "/proc/\(pid)/task"
        func text(_ thread: String, _ file: String) -> String {
            (try? String(contentsOfFile: "\(folder)/\(thread)/\(file)", encoding: .utf8)) ?? ""
        }
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard let thread = threads.first(where: { text($0, "comm") == "\(name)\n" }) else { return nil }
        let words = text(thread, "syscall").split(separator: " ").prefix(2).map(String.init)
        return words.count == 2 ? words : nil
    }

    #if arch(x86_64)
        private static let pollCall = "7"
        private static let writeCall = "1"
    #else
        private static let pollCall = "73"
        private static let writeCall = "64"
    #endif

    /// Lets the process run for this time, or until it ends, without reading its standard output.
    func keepWaiting(seconds: Double) {
        let end = ContinuousClock.now.advanced(by: .seconds(seconds))
        while isRunning, ContinuousClock.now < end, !RunLimit.isOver { readWhatThereIs(output: false) }
    }

    /// Writes the same bytes again and again, with short pauses, until the process has ended.
    func end(writing data: Data) throws -> Ended {
        try wait("its end, in spite of its input") { [self] in
            // It may have ended by now.
            if life != nil { try? write(data) }
            return life == nil
        }
        return try end()
    }

    /// Whether it was still running at the last check.
    var isRunning: Bool { life != nil }

    /// Its status and its output. A signal that killed it is a negative status.
    /// - Parameter reading: whether to continue reading its standard output meanwhile.
    @discardableResult
    func end(reading: Bool = true) throws -> Ended {
        try wait("its end", reading: reading) { [self] in life == nil }
        if reading { try wait("the end of its output") { [self] in outputPipe == nil && errorPipe == nil } }
        var code: Int32 = 0
        waitpid(pid, &code, 0)
        let status = code & 0x7F == 0 ? (code >> 8) & 0xFF : -(code & 0x7F)
        self.status = status
        return Ended(
            status: status,
            output: String(decoding: output, as: UTF8.self),
            errors: String(decoding: errors, as: UTF8.self)
        )
    }

    func wait(_ what: String, reading: Bool = true, until condition: () throws -> Bool) throws {
        while try !condition() {
            let hasEnded = life == nil && errorPipe == nil && (!reading || outputPipe == nil)
            guard !hasEnded, !RunLimit.isOver else {
                throw Command.Failure(
                    description: "\(hasEnded ? "busctl-rx has ended" : "the run is over"); waited for \(what); it said "
                        + "\(String(decoding: output.suffix(500), as: UTF8.self).debugDescription) and "
                        + String(decoding: errors.suffix(500), as: UTF8.self).debugDescription
                )
            }
            readWhatThereIs(output: reading)
        }
    }

    private func readWhatThereIs(output reading: Bool) {
        var polled = [life, errorPipe, reading ? outputPipe : nil].map {
            pollfd(fd: $0?.number ?? -1, events: Int16(POLLIN), revents: 0)
        }
        // The condition may also depend on something that cannot be polled.
        poll(&polled, nfds_t(polled.count), 20)
        if polled[0].revents != 0 { life = nil }
        if polled[1].revents != 0, !Self.read(errorPipe, into: &errors) { errorPipe = nil }
        if polled[2].revents != 0, !Self.read(outputPipe, into: &output) { outputPipe = nil }
    }

    private static func read(_ descriptor: Descriptor?, into data: inout Data) -> Bool {
        guard let descriptor else { return false }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(descriptor.number, &buffer, buffer.count)
        guard count > 0 else { return false }
        data += buffer.prefix(count)
        return true
    }
}

extension TailProcess {
    /// Runs it to its end.
    static func run(
        _ arguments: String...,
        input: Data? = nil,
        environment: [String: String] = ["LANG": "C", "TZ": "UTC"]
    ) throws -> Ended {
        try run(arguments, input: input, environment: environment)
    }

    static func run(
        _ arguments: [String],
        input: Data? = nil,
        environment: [String: String] = ["LANG": "C", "TZ": "UTC"]
    ) throws -> Ended {
        let folder = try TemporaryFolder()
        var stream = Stream.file("/dev/null")
        if let input {
            // A file, so that neither side can block the other.
            try input.write(to: URL(fileURLWithPath: folder.path("input")))
            stream = .file(folder.path("input"))
        }
        return try TailProcess(arguments, input: stream, environment: environment).end()
    }
}
