import Bus
import Forwarding
import JournalBridge
import NATSBridge
import RecordSources

/// `busctl-rx forward`
struct ForwardCommand: Command {
    static let name = "forward"
    static let summary = "Store what tail reads in JetStream or an OpenTelemetry receiver, at least once."
    static let usage =
        "busctl-rx forward --to <url> [--subject <subject>] [--cursor-file <path>] [<options>] [<filter>]"
    static let discussion = """
        To a nats:// server, each entry that the filter selects is sent to the subject as the JSON object that 'busctl-rx tail -o json' shows. A stream must \
        store the subject. The entry's cursor is the id of the message (Nats-Msg-Id).

          busctl-rx forward --to nats://hub:4222 --subject journal.web-1 --cursor-file /var/lib/fwd/cursor 'priority <= warning'
          busctl-rx tail --from 'nats://hub:4222/journal.>?from=first'

        The cursor file holds the place up to which everything is stored. It moves on with entries that do not match, too, and only after \
        the stream's acknowledgement. A run goes on from there, and asks the stream which entries behind it are stored already, so that \
        they are not sent twice. If the cursor file is missing or empty, it resumes after the subject's last message, or begins with the \
        journal's first entry. An entry that the server had refused before that message is not sent then, so keep the file. Give each \
        forwarder a subject of its own.

        "Stored" is what the server acknowledges: it has the entry in its file, which it flushes to the disk every two minutes unless \
        sync_interval in its configuration says otherwise. A server whose machine loses power can lose the entries of that time, and \
        the cursor file is past them. That happens neither with 'sync_interval: always' (nats-server 2.10), nor to a stream with replicas on machines that do not \
        fail together within that time.

        A stream that has less than was acknowledged, because its server lost power, its store was put back to an earlier copy, or the stream \
        was made anew, gets the missing entries again, as far as the journal has them. It is asked for the message that was acknowledged last \
        at the start, after each outage, and every 10 s. The cursor file has up to 32 earlier places, with the numbers of their messages. Sending \
        goes back to the newest place whose message the stream has, or to where the cursor file begins, and says so. Entries that the \
        stream has are not sent twice, unless their ids take more than 64 MiB. Messages that were deleted, purged or removed by the stream's \
        limits are not sent again. A cursor file that is used with another server or stream has all its entries sent there.

        In a cluster, a server can show messages that the stream's next leader does not have. So of a stream with replicas, messages that \
        are younger than its duplicate window are sent again after an outage, and the leader tells by the id which it has. The clocks of \
        this machine and of the servers must not differ by more than that window, which is two minutes unless it was told otherwise. \
        If a cluster loses earlier messages, but keeps the one that was acknowledged last, no forwarder sees that; nats-server 2.9 lost \
        acknowledged messages when leaders were killed.

        While the server cannot be reached or cannot store, it retries, and reports each outage once. It waits 100 ms before \
        the first attempt and at most 5 s before a later one. Connecting takes at most 2 s for each server, and a server that \
        does not answer is given up after 30 s. Entries that are larger than the server or the whole stream takes are reported \
        and left out. At most 256 entries are on their way, and about 16 MiB of them are held until they are stored.

        To an otlp+http:// or otlp+https:// receiver (a collector, Loki, VictoriaLogs), entries are sent as OpenTelemetry's log records: as many \
        at once as gather while earlier requests are under way, at most 1000, and compressed. /v1/logs is added to the address unless it ends so.

          busctl-rx forward --to otlp+http://collector:4318 --cursor-file /var/lib/fwd/cursor
          busctl-rx forward --to 'otlp+https://loki/otlp?headers=/etc/fwd/headers' --cursor-file /var/lib/fwd/cursor

        It sends again after 408, 425, 429, 5xx but for 501 and 505, a connection that breaks and 30 s without an answer, no sooner than the \
        receiver's Retry-After. Of a request that is refused (400, 413, 422) each half is sent by itself, and so on. A record that is refused \
        alone is appended to the file of --refused-to before the place moves on, as a JSON object with cursor, reason, and request in Base64; \
        after 32 refusals of one request without a record that was taken, the rest of it is, too. 401, 403, 404 and 407 end the run if \
        no request was taken before, and so do 32 refused records. Any other answer, a redirect among them, ends it. A record may arrive \
        twice after an outage; its attribute \
        log.record.uid is the entry's cursor. An entry waits for others for 200 ms at most, and about 2 MiB of them are held.

        Behind the question mark of such an address, headers=FILE names a file with further headers, such as 'Authorization: Bearer …', one \
        a line; ca=FILE the certificates that the receiver's is checked against; cert=FILE and key=FILE a certificate of one's own; and \
        proxy=URL a proxy. Without it, the variables http_proxy, https_proxy, all_proxy and no_proxy hold as for curl(1). A file of headers \
        that every user can read is reported. It needs libcurl and libdeflate (Debian's packages libcurl4 and libdeflate0).

        --from forwards what tail reads, one source for each forwarder. Journals of other machines (ssh:, https:), files of lines (json:, \
        logfmt:, lines:) and streams of JetStream (nats://HOST/SUBJECT?from=first) go on behind the saved place. A file is looked for by \
        its inode and its last bytes, under whatever name its directory has it now; if it has been deleted or compressed, that is said. The cursor of a line \
        or a message is its place and a hash. The first run saves where it begins. With --no-follow, a last line without an end is left to the next run. Buses, \
        commands, ticks and signals have no place: take no --cursor-file for them; what comes while nobody forwards is missing.

          busctl-rx forward --from json:/var/log/shop.json --to otlp+http://collector:4318 --cursor-file /var/lib/fwd/shop

        In the address of a nats:// server, ?creds=FILE names a file with the user's credentials, and ca=FILE one with the certificates that the server's is \
        checked against. Started by systemd with Type=notify, it says that it is ready when the stream is found, or the receiver answers, \
        and every five seconds how many entries are stored, how far behind the present the last one is, and what went wrong. With \
        WatchdogSec= of a minute or more it proves that it lives as long as nothing waits, entries are stored, or attempts fail: an outage of \
        the receiver does not end the service. On a terminal the same is shown in a line, and --stats reports it at the end and after SIGUSR1.

        A cursor file that cannot be written, as on a full disk, ends the run: the place would stay behind what is stored.

        Exit status: 0 entries were stored, 1 none was, 2 usage or expression, 3 the journal cannot be read or the server refuses. \
        SIGHUP, SIGINT and SIGTERM end it as they end any program (129, 130 and 143 in a shell).
        """

    static var options: [CommandOption<Self>] {
        let own: [CommandOption<Self>] = [
            .value(
                "--to",
                of: "url",
                brief: "nats://HOST:PORT or otlp+http://HOST:PORT",
                help: "The server: nats://HOST:PORT, tls://HOST:PORT, otlp+http://HOST:PORT or otlp+https://HOST:PORT."
            ) {
                $0.to = try ForwardTarget(argument: $1)
            },
            .value(
                "--subject",
                of: "subject",
                brief: "the subject to send entries to",
                help: "The subject of NATS to send entries to."
            ) { $0.subject = $1 },
            .value(
                "--refused-to",
                of: "path",
                brief: "where refused records are kept",
                help:
                    "Where records are kept that an OpenTelemetry receiver refuses; the cursor file's name with .refused unless said."
            ) { $0.refusedFile = $1 },
            .value(
                "--cursor-file",
                of: "path",
                brief: "where the place is kept",
                help: "Where the place is kept up to which everything is stored."
            ) {
                $0.cursorFile = $1
            },
            .value(
                "--from",
                of: "source",
                brief: "what is forwarded",
                help: "What is forwarded, as for tail; the system's journal unless said. See busctl-rx sources."
            ) {
                $0.from = try SourceArgument(argument: $1)
            },
            .flag(
                "--no-follow",
                brief: "end when all is stored",
                help: "End when all entries that are there are stored."
            ) { $0.noFollow = true },
            .flag(
                "--stats",
                brief: "report numbers at the end and after SIGUSR1",
                help:
                    "At the end and after each SIGUSR1, report how much is stored and waits, the delay, retries and losses."
            ) { $0.statistics = true },
        ]
        return own
            + FilterOperands.options.map { $0.within("") { try $1(&$0.operands) } }
    }

    var to: ForwardTarget?
    var subject: String?
    var refusedFile: String?
    var cursorFile: String?
    var from: SourceArgument?
    var noFollow = false
    var statistics = false
    var operands = FilterOperands()
    static var operands: [CommandOperand<Self>] { [FilterOperands.operand { try $1(&$0.operands) }] }

    func validate() throws {
        let (to, cursorFile) = try required()
        try operands.validate()
        if cursorFile?.isEmpty == true {
            throw ValidationError("--cursor-file was given an empty name. Write the name of a file.")
        }
        switch to {
        case .nats:
            guard let subject else { throw UsageError.missing("--subject <subject>") }
            if subject.isEmpty {
                throw ValidationError("--subject was given an empty name. Write a subject, as in journal.web-1.")
            }
            if let flaw = NATSSubject.flaw(inName: subject) { throw ValidationError("--subject: \(flaw)") }
            if refusedFile != nil {
                throw ValidationError("--refused-to is for OpenTelemetry receivers, not for NATS.")
            }
        case .otlp:
            if subject != nil { throw ValidationError("--subject is for NATS; an OpenTelemetry receiver has none.") }
            if refusedFile?.isEmpty == true {
                throw ValidationError("--refused-to was given an empty name. Write the name of a file.")
            }
        }
        do throws(SourceArgumentError) { try source.check() } catch { throw ValidationError(error.description) }
    }

    private var source: any RecordSource { from?.source ?? JournalRecords(.system) }

    private func required() throws -> (to: ForwardTarget, cursorFile: String?) {
        guard let to else { throw UsageError.missing("--to <url>") }
        if source.traits.contains(.places) {
            guard cursorFile != nil else { throw UsageError.missing("--cursor-file <path>") }
        } else if cursorFile != nil {
            throw ValidationError(
                "\(from?.text ?? "") has no place to go on from, so there is nothing to keep in a --cursor-file. Leave it out."
            )
        }
        if case .otlp = to, cursorFile == nil, refusedFile == nil { throw UsageError.missing("--refused-to <path>") }
        return (to, cursorFile)
    }

    func run() throws {
        let (to, cursorFile) = try required()
        let named = NamedSource(source.name, source)
        let filter = try FilterArgument.all(operands, beside: []) { _ = try FilterArgument.compile($0, over: [named]) }
        var request = SourceRequest(name: named.name, on: ThreadScheduler(name: "busctl-input"))
        request.filter = try filter.map { text throws(ExitStatus) in try FilterArgument.compile(text, over: [named]) }
        request.follows = !noFollow
        request.reconnects = source.traits.contains(.awaitable)
        request.build = { BuildDigest.text }
        request.note = { [name = named.name] note in
            if case .message(let text) = note { StandardError.report("\(name): \(text)") }
        }
        let file = cursorFile.map { CursorFile(path: $0) }
        if file == nil {
            StandardError.report(
                "\(named.name) has no place to go on from: what comes while this does not run is not forwarded"
            )
        }
        let sink: any ForwardSink
        switch to {
        case .nats(let server):
            guard let subject else { throw UsageError.missing("--subject <subject>") }
            sink = JetStreamSink(server, subject: subject)
        case .otlp(let receiver):
            sink = OTLPSink(receiver, refusedTo: refusedFile ?? (cursorFile ?? "") + ".refused") {
                StandardError.report($0)
            }
        }
        throw try ForwardRun(source, request, to: sink, file, tellsNumbers: statistics).run()
    }
}
