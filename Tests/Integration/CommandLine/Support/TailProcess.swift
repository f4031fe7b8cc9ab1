import Foundation
import Glibc

/// The real `busctl-rx`, running, with everything it says. One thread uses it; every wait has a deadline.
final class TailProcess {
    /// What one of the process's standard descriptors is.
    enum Stream {
        case pipe
        case closed
        /// Opened for reading and for writing.
        case file(String)
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

    private static let deadline: TimeInterval = 30

    private(set) var pid: pid_t = 0
    private(set) var output = Data()
    private(set) var errors = Data()
    private var input: Descriptor?
    private var outputPipe: Descriptor?
    private var errorPipe: Descriptor?
    /// At its end when the process is gone, whatever became of its standard descriptors.
    private var life: Descriptor?
    private var status: Int32?

    /// - Parameters:
    ///   - arguments: those after the program's name, in bytes: they need not be UTF-8.
    ///   - isRead: whether what it prints is read as it comes; if not, the pipe fills up.
    init(
        bytes arguments: [[UInt8]],
        input: Stream = .file("/dev/null"),
        output: Stream = .pipe,
        errors: Stream = .pipe,
        environment: [String: String] = ["LANG": "C", "TZ": "UTC"]
    ) throws {
        // A process that ended early is an error that `write` reports, not the end of the tests.
        signal(SIGPIPE, SIG_IGN)
        let plan = try SpawnPlan()
        self.input = try plan.connect(input, to: 0)
        outputPipe = try plan.connect(output, to: 1)
        errorPipe = try plan.connect(errors, to: 2)
        life = try plan.connect(.pipe, to: 9)
        pid = try plan.spawn(Self.program, arguments, environment)
    }

    convenience init(
        _ arguments: [String],
        input: Stream = .file("/dev/null"),
        output: Stream = .pipe,
        errors: Stream = .pipe,
        environment: [String: String] = ["LANG": "C", "TZ": "UTC"]
    ) throws {
        try self.init(
            bytes: arguments.map { Array($0.utf8) },
            input: input,
            output: output,
            errors: errors,
            environment: environment
        )
    }

    deinit {
        guard status == nil, pid > 0 else { return }
        kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
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

    /// As when the program that reads its output ends.
    func closeOutput() { outputPipe = nil }

    func send(_ signal: Int32) { kill(pid, signal) }

    // MARK: Waiting

    func wait(forOutput text: String) throws {
        try wait("\"\(text)\" on its standard output") { [self] in output.range(of: Data(text.utf8)) != nil }
    }

    func wait(forErrors text: String) throws {
        try wait("\"\(text)\" on its standard error") { [self] in errors.range(of: Data(text.utf8)) != nil }
    }

    /// Until the pipe nobody reads from is full, which is when the process has to wait.
    func waitUntilOutputIsFull() throws {
        try wait("its output to be full", reading: false) { [self] in
            var gathered: Int32 = 0
            _ = ioctl(outputPipe?.number ?? -1, UInt(FIONREAD), &gathered)
            // A pipe holds sixteen pages, of which a write that is no whole number of them leaves the last one partly empty.
            return gathered >= 14 * 4096
        }
    }

    /// Until it has read what there is of a journal and watches for more, which it does not say: its reader has slept
    /// a few times since it asked the kernel to be told of changes.
    func waitUntilFollowing() throws {
        try wait("its watch on the journal") { [self] in isWatchingFiles }
        let asleep = readerSleeps
        try wait("its reader to wait for more") { [self] in readerSleeps >= asleep + 5 }
    }

    private var isWatchingFiles: Bool {
        let folder = "/proc/\(pid)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0))?.contains("inotify") == true
        }
    }

    private var readerSleeps: Int {
        let folder = "/proc/\(pid)/task"
        for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let status = (try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)) ?? ""
            guard status.hasPrefix("Name:\tbus-journal\n") else { continue }
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return Int(line?.split(separator: "\t").last ?? "") ?? 0
        }
        return 0
    }

    /// How it ended and what it said; a signal that killed it is a negative status.
    /// - Parameter reading: whether to read on from its standard output meanwhile.
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

    private func wait(_ what: String, reading: Bool = true, until condition: () -> Bool) throws {
        let end = Date().addingTimeInterval(Self.deadline)
        while !condition() {
            guard Date() < end else {
                throw Command.Failure(
                    description: "waited \(Self.deadline) s for busctl-rx and \(what); so far it said "
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
        // The condition may also depend on what cannot be polled.
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
        let folder = try TemporaryFolder()
        var stream = Stream.file("/dev/null")
        if let input {
            // A file, so that neither side can wait for the other.
            try input.write(to: URL(fileURLWithPath: folder.path("input")))
            stream = .file(folder.path("input"))
        }
        return try TailProcess(arguments, input: stream, environment: environment).end()
    }
}
