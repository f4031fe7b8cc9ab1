/// An action on demand. It says whether it can run, whether it is running, and what its results are. ReactiveCocoa's
/// `RACCommand`, ReactiveSwift's `Action`.
///
/// ```swift
/// import Bus
///
/// let double = Command(work: { (number: Int) in Signals.just(number * 2) })
/// let subscription = double.values.subscribe(next: { print($0) })
/// double.execute(21)  // 42
/// ```
///
/// ```
/// execute       --a-------b---a----
/// the work        1--2|   ✗    3!
/// isExecuting   0-1--0---------10--
/// values        --1--2---------3---
/// errors        ----------------!--
/// ```
///
/// - ``execute(_:)`` begins the work before it returns, on the calling thread. ``isExecuting`` and ``isEnabled`` flip
///   before the work begins, in one step: of two threads that execute at once, one does, unless the command is
///   concurrent. When the work ends they flip back before anybody hears the end. (ReactiveCocoa did all this on the
///   main thread, later.)
/// - An execution lasts until its work ends. Work that never ends leaves the command executing for good: give it a
///   `timeout`, or dispose of the execution. Work whose source is dropped without an end has ended.
/// - The command does not keep itself alive: hold it. When it is dropped its signals and properties complete, and it
///   releases the signal that enables it. Running executions go on to their own end, and their holders hear it.
/// - The closure given as `work` should not capture the object that holds the command.
///
/// The signals of all executions are hot: a subscriber that comes after ``execute(_:)`` hears nothing of work that is
/// already over. The execution that ``execute(_:)`` returns replays its values.
public final class Command<Input: Sendable, Value: Sendable, Failure: Error>: Sendable {
    private let state: CurrentValueCore<CommandState, Never>
    let outlets = CommandOutlets<Value, Failure>()
    private let enabling: any Disposable
    private let begin: @Sendable (Input, CommandExecution<Value, Failure>, CommandOutlets<Value, Failure>) -> Void
    private let replay: Int

    /// A command that may execute when a signal says so.
    ///
    /// - Parameters:
    ///   - enabled: whether it may execute; subscribed to at once. Until its first value it may; after its end the last
    ///     value stays.
    ///   - isConcurrent: whether it may execute while it is executing.
    ///   - replay: how many values of an execution are kept for late subscribers.
    ///   - work: makes the work of one execution, on the thread that executes.
    public init<Work: Signal<Value, Failure>>(
        enabled: some Signal<Bool, Never>,
        isConcurrent: Bool = false,
        replay: Int = 1024,
        work: @escaping @Sendable (Input) -> Work
    ) {
        state = CurrentValueCore(CommandState(isConcurrent: isConcurrent), limit: 65_536)
        self.replay = replay
        begin = { input, execution, outlets in
            execution.run.carry(work(input).subscribe(CommandObserver(execution, outlets)))
        }
        enabling = enabled.subscribe(EnablingObserver(state: state))
    }

    /// A command that may always execute, or, if it is not concurrent, whenever it is not executing.
    public convenience init<Work: Signal<Value, Failure>>(
        isConcurrent: Bool = false,
        replay: Int = 1024,
        work: @escaping @Sendable (Input) -> Work
    ) {
        self.init(enabled: Signals.just(true), isConcurrent: isConcurrent, replay: replay, work: work)
    }

    deinit {
        enabling.dispose()
        state.terminate(.completed)
        outlets.complete()
    }

    /// Begins the work, if the command is enabled.
    ///
    /// - Returns: the values of the work, replayed; fails with ``CommandError/disabled`` if the work was not begun.
    ///   Dropping it ends nothing.
    @discardableResult
    public func execute(_ input: Input) -> CommandExecution<Value, Failure> {
        let execution = CommandExecution<Value, Failure>(run: CommandRun(state), replay: replay)
        guard state.modify({ $0.begin() }) else {
            execution.run.refuse()
            execution.hub.fail(.disabled)
            return execution
        }
        outlets.executions.send(execution)
        // A subscriber that was told of it may have ended it.
        if !execution.isDisposed { begin(input, execution, outlets) }
        return execution
    }

    /// Whether ``execute(_:)`` would begin the work now. Its signals leave out repetitions.
    public var isEnabled: Property<Bool> { view { $0.isEnabled } }

    /// Whether any work is under way. Its signals leave out repetitions.
    public var isExecuting: Property<Bool> { view { $0.isExecuting } }

    private func view(_ look: @escaping @Sendable (CommandState) -> Bool) -> Property<Bool> {
        let values = PropertyValues(state, SerialDisposable()).map(look).removeDuplicates()
        return Property(get: { [state] in look(state.value) }, values: AnySignal(values))
    }
}

/// Whether a command may execute and is executing, as a pure value.
struct CommandState: Sendable {
    let isConcurrent: Bool
    /// The last value of the signal given with the command.
    var isAllowed = true
    private(set) var executions = 0

    init(isConcurrent: Bool) {
        self.isConcurrent = isConcurrent
    }

    var isExecuting: Bool { executions > 0 }

    var isEnabled: Bool { isAllowed && (isConcurrent || !isExecuting) }

    /// Begins one more execution, if that is allowed; returns whether it is.
    mutating func begin() -> Bool {
        guard isEnabled else { return false }
        executions += 1
        return true
    }

    mutating func end() {
        executions -= 1
    }
}

/// Why an execution of a ``Command`` did not do its work.
public enum CommandError<Failure: Error>: Error {
    /// The work was not begun: the command was disabled, or was executing and does one thing at a time.
    case disabled
    /// The work failed.
    case failed(Failure)
}

extension CommandError: Equatable where Failure: Equatable {}

extension CommandError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .disabled:
            "the command was not executed, because it is disabled or still executing;"
                + " wait until its isEnabled is true, or make it concurrent"
        case .failed(let failure): "the command's work failed: \(failure)"
        }
    }
}

extension Command {
    /// The values of all executions.
    ///
    /// ```
    /// executions    --a---b--------
    /// a               1---2--|
    /// b                   3--4!
    /// values        --1---23-4-----
    /// ```
    ///
    /// - Ends: when the command is dropped.
    /// - Fails: never; failures are in ``errors``.
    /// - Cancelling: ends the subscription, and no execution.
    /// - Buffers: at most 65,536 values, while another is being delivered; a value that finds the queue full is lost,
    ///   and the subscribers are told.
    /// - Thread: the work's.
    public var values: some Signal<Value, Never> { outlets.values }

    /// The failures of all executions. A refusal is none: nothing was executed.
    ///
    /// ```
    /// executions    --a---b--------
    /// a               1---2--|
    /// b                   3--4!
    /// errors        ----------!----
    /// ```
    ///
    /// - Ends: when the command is dropped.
    /// - Fails: never; they are its values.
    /// - Cancelling: ends the subscription, and no execution.
    /// - Buffers: at most 65,536 failures, while another is being delivered.
    /// - Thread: the work's.
    public var errors: some Signal<Failure, Never> { outlets.errors }

    /// The executions, each when it begins. ReactiveCocoa's `executionSignals`.
    ///
    /// ```
    /// execute       --a---b--------
    /// executions    --a---b--------
    /// ```
    ///
    /// A subscriber that comes during an execution does not hear of that execution.
    ///
    /// - Ends: when the command is dropped.
    /// - Fails: never.
    /// - Cancelling: ends the subscription, and no execution.
    /// - Buffers: at most 65,536 executions, while another is being delivered.
    /// - Thread: that of the caller of `execute(_:)`.
    public var executions: some Signal<CommandExecution<Value, Failure>, Never> { outlets.executions }
}
