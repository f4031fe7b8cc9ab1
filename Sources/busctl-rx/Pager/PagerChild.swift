import Bus
import Glibc
import ProcessBridge
import SystemPackage

/// A pager that runs. It belongs to this process's group, so that a terminal's ^C and ^Z reach both.
final class PagerChild: Sendable {
    private struct State {
        var pid: pid_t?
        var status: ProcessStatus?
        var failure: ProcessError?
        var isInterrupted = false
    }

    let name: String
    private let state = Lock(State())
    private let isOver = Latch()
    private let run = SerialDisposable()
    private let exit = SerialDisposable()

    /// How long it may take to end after it was told to. Its user waits at the terminal.
    private static let grace = Duration.seconds(1)
    /// The status of `less` that ends at ^C.
    private static let interruptedLess = ProcessStatus.exited(code: 2)

    /// Starts it. Its input comes from that descriptor.
    ///
    /// - Parameter onEnd: called when it has ended by itself, on a thread that must not be blocked.
    init(
        _ command: [String],
        _ variables: [String: String?],
        reading input: FileDescriptor,
        onEnd: @escaping @Sendable () -> Void
    ) throws(ProcessError) {
        name = command.first ?? ""
        var child = ChildProcess(FilePath(name), Array(command.dropFirst()))
        child.environment = .updating(variables)
        child.input = .descriptor(input)
        child.output = .inherited
        child.errors = .inherited
        child.hasOwnGroup = false
        child.grace = Self.grace
        run.set(
            Signals.run(child).subscribe(
                next: { [self] event in
                    switch event {
                    case .started(let pid): state.withLock { $0.pid = pid }
                    case .ended(let status): ended(onEnd) { $0.status = status }
                    case .output, .errors: break
                    }
                },
                failed: { [self] error in ended(onEnd) { $0.failure = error } }
            )
        )
        let (pid, failure) = state.withLock { ($0.pid, $0.failure) }
        if pid == nil, let failure { throw failure }
    }

    private func ended(_ onEnd: () -> Void, _ change: (inout State) -> Void) {
        let hasRun = state.withLock { state -> Bool in
            change(&state)
            return state.pid != nil
        }
        if hasRun { onEnd() }
        isOver.open()
    }

    /// Whether it is `less` itself, and not a program that starts it.
    var isLess: Bool { name == "less" }

    var isRunning: Bool { state.withLock { $0.status == nil && $0.failure == nil && !$0.isInterrupted } }

    /// Tells it to end, and kills it when it takes too long. Does not block.
    func interrupt() {
        let pid = state.withLock { state -> pid_t? in
            guard state.status == nil, state.failure == nil, !state.isInterrupted else { return nil }
            state.isInterrupted = true
            return state.pid
        }
        guard let pid else { return }
        // The subscription is over with its disposal and reports no end. A process that is gone cannot be watched.
        exit.set(
            Signals.exit(of: pid).subscribe(
                next: { [isOver] _ in isOver.open() },
                failed: { [isOver] _ in isOver.open() }
            )
        )
        run.dispose()
    }

    /// Returns when it has ended. Blocks the thread.
    func wait() { isOver.wait() }

    /// Whether it ended in another way than its user had it end.
    var hasFailed: Bool {
        state.withLock { state in
            if state.failure != nil { return true }
            guard let status = state.status, !state.isInterrupted else { return false }
            return !status.isSuccess && !(isLess && status == Self.interruptedLess)
        }
    }

    /// Whether it may have left the terminal as it needs it.
    var wasCutShort: Bool { state.withLock { $0.isInterrupted || $0.status?.isSuccess != true } }

    /// A description of its failure for a person.
    var reason: String {
        state.withLock { state in state.failure.map { "\($0)" } ?? state.status.map { "it \($0)" } ?? "it has ended" }
    }
}
