import Bus
import DescriptorBridge
import Glibc
import ProcessBridge
import SystemPackage

/// A running child whose output is read by the calling thread.
final class RemoteChild: Sendable {
    /// How it ended, and what it said about it.
    fileprivate struct State: Sendable {
        var status: ProcessStatus?
        /// Why it could not be started or watched.
        var failure: String?
        /// The first line of its error output, and the last ones.
        var errors: [String] = []
        /// Lines that a `busctl-rx` on the other machine has written, for example about fields that it left out, and that
        /// ``takeRemarks()`` has not returned yet.
        var remarks: [String] = []
        /// How many more lines there were.
        var furtherRemarks = 0
    }

    enum Readiness {
        case readable, silent
        /// The child has ended, or nothing more is wanted.
        case over
    }

    fileprivate static let maxErrors = 16
    fileprivate static let remark = "busctl-rx: "
    /// How long it may take to end after its output, in milliseconds.
    private static let grace: CInt = 5000

    /// As errors name it: `ssh`.
    private let program: String
    private let output: OwnedDescriptor
    /// At its end when the child has ended.
    private let life: OwnedDescriptor
    private let state: Lock<State>
    private let running: any Disposable

    /// - Parameter holder: ends it when the subscription ends, without waiting for the calling thread.
    init(_ child: ChildProcess, in holder: SerialDisposable) throws(DescriptorError) {
        var child = child
        program = "\(child.executable)"
        let pipe = try OwnedDescriptor.pipe(for: "the output of \(child.executable)")
        let life = try OwnedDescriptor.pipe(for: "the end of \(child.executable)")
        child.output = .descriptor(FileDescriptor(rawValue: pipe.writing.number))
        output = pipe.reading
        self.life = life.reading
        let state = Lock(State())
        self.state = state
        running = Signals.run(child).subscribe(
            next: { event in state.withLock { $0.note(event) } },
            failed: { error in
                state.withLock { $0.failure = error.description }
                life.writing.close()
            },
            completed: { life.writing.close() }
        )
        holder.set(running)
        // The child has its own.
        pipe.writing.close()
    }

    deinit {
        running.dispose()
    }

    /// Waits for output.
    ///
    /// - Parameters:
    ///   - stop: a descriptor that is readable when nothing more is wanted.
    ///   - limit: after how many milliseconds it is silent; negative for never.
    func wait(orUntilReadable stop: CInt, limit: CInt = -1) -> Readiness {
        var polled = [output.number, stop, life.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        Self.poll(&polled, limit)
        if polled.allSatisfy({ $0.revents == 0 }) { return .silent }
        if polled[1].revents != 0 { return .over }
        if polled[0].revents != 0 { return .readable }
        // Something may have been written between the two looks of the kernel.
        Self.poll(&polled, 0)
        return polled[0].revents != 0 ? .readable : .over
    }

    /// Returns 0 at the end of the output.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        do {
            return try FileDescriptor(rawValue: output.number).read(into: buffer)
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// Why it ended, once its output has; `nil` if it did what it was asked for.
    ///
    /// - Parameter stop: a descriptor that is readable when nothing more is wanted.
    func reason(orUntilReadable stop: CInt) -> String? {
        var polled = [life.number, stop].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        Self.poll(&polled, Self.grace)
        return state.withLock { state in
            if let failure = state.failure { return failure }
            guard let status = state.status else { return "\(program) closed its output and did not end" }
            if status.isSuccess { return nil }
            return state.explanation ?? "\(program) \(status)"
        }
    }

    /// The lines that the other machine's `busctl-rx` has written since the last call: the first 16, and how many more there were.
    func takeRemarks() -> [String] {
        state.withLock { state in
            guard !state.remarks.isEmpty else { return [] }
            defer { (state.remarks, state.furtherRemarks) = ([], 0) }
            return state.remarks + (state.furtherRemarks > 0 ? ["and \(state.furtherRemarks) more"] : [])
        }
    }

    private static func poll(_ polled: inout [pollfd], _ limit: CInt) {
        while Glibc.poll(&polled, nfds_t(polled.count), limit) < 0, errno == EINTR {}
    }
}

extension RemoteChild.State {
    fileprivate mutating func note(_ event: ChildEvent) {
        switch event {
        case .started, .output: return
        case .errors(let line):
            let isBlank = line.allSatisfy { $0.isWhitespace }
            guard !isBlank else { return }
            if line.hasPrefix(RemoteChild.remark) {
                if remarks.count < RemoteChild.maxErrors {
                    remarks.append(String(line.dropFirst(RemoteChild.remark.count)))
                } else {
                    furtherRemarks += 1
                }
            }
            errors.append(line)
            // The first line stays.
            if errors.count > RemoteChild.maxErrors { errors.remove(at: 1) }
        case .ended(let status): self.status = status
        }
    }

    /// curl's first line says why it failed, and those behind it are advice; for ssh it is the last line.
    fileprivate var explanation: String? {
        let line = errors.first { $0.hasPrefix("curl: ") } ?? errors.last
        return line.map { $0.hasSuffix("\r") ? String($0.dropLast()) : $0 }
    }
}
