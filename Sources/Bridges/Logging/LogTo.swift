// The trait `Logging` turns this target on; without it, it is empty and swift-log is no dependency.
#if Logging
    public import Bus
    public import Logging

    extension Signal {
        /// The same signal; its events are logged.
        ///
        /// ```
        /// self         --1-----2-----|
        /// log(to:)     --1-----2-----|
        ///                next  next  completed
        /// ```
        ///
        /// Messages read `subscribed`, `next: 1`, `lost: 3`, `failed: ...`, `completed` and `disposed`; the signal's
        /// chain is in the metadata, under `signal`. A failure is logged as a warning, unless `level` is above that.
        /// If the logger does not let the level through, an event costs a comparison.
        ///
        /// It is there with the package's trait: `.package(path: "../busctl-rx", traits: ["Logging"])`.
        ///
        /// - Ends: with the source.
        /// - Fails: with the source.
        /// - Cancelling: ends the source's subscription, and is logged.
        /// - Thread: the source's; the logger's handler is called on it.
        ///
        /// - Parameters:
        ///   - logger: where messages go.
        ///   - level: how important they are.
        ///   - file: the file that the logger gets as the place of the message.
        ///   - function: the same.
        ///   - line: the same.
        public func log(
            to logger: Logger,
            level: Logger.Level = .debug,
            file: String = #fileID,
            function: String = #function,
            line: UInt = #line
        ) -> some Signal<Value, Failure> {
            // Made now: keeping the signal to describe it later would keep its source.
            let description = "\(chain)"
            let log: @Sendable (Logger.Level, @autoclosure () -> Logger.Message) -> Void = { level, message in
                logger.log(
                    level: level,
                    message(),
                    metadata: ["signal": "\(description)"],
                    source: "Bus",
                    file: file,
                    function: function,
                    line: line
                )
            }
            return on(
                next: { log(level, "next: \($0)") },
                failed: { log(Swift.max(level, .warning), "failed: \($0)") },
                completed: { log(level, "completed") },
                subscribed: { log(level, "subscribed") },
                disposed: { log(level, "disposed") },
                lost: { log(level, "lost: \($0)") }
            )
        }
    }
#endif
