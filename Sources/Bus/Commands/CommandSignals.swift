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
