// The trait `Logging` turns this target on; without it, it is empty and swift-log is no dependency.
#if Logging
    public import Bus
    public import Logging

    extension TaskContext where Content == Logger {
        /// The logger of the present task, which `Logger.current` returns and `withLogger` sets.
        ///
        /// ```swift
        /// import Bus
        /// import Logging
        /// import LoggingBridge
        ///
        /// let jobs = Subject(of: Int.self)
        /// let worker = ThreadScheduler(name: "worker")
        /// let subscription = jobs.capturing(.logger).deliver(on: worker).bound(to: .logger)
        ///     .subscribe(next: { job in Logger.current.info("job \(job)") })
        /// withLogger(mergingMetadata: ["request": "7"]) { _ in jobs.send(1) }
        /// ```
        public static var logger: TaskContext<Logger> {
            TaskContext(current: { Logger.current }, bind: { logger, body in withLogger(logger) { _ in body() } })
        }
    }
#endif
