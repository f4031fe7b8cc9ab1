#if Logging
    import Bus
    import BusTesting
    import Logging
    import LoggingBridge
    import Testing

    @Suite("log(to:)")
    struct LogToTests {
        /// Keeps the logged messages.
        private struct KeepingHandler: LogHandler {
            let kept: Lock<[String]>
            var metadata: Logger.Metadata = [:]
            var logLevel: Logger.Level

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) {
                kept.withLock { $0.append("\(event.level) \(event.message) \(event.metadata?["signal"] ?? "")") }
            }
        }

        private func logger(_ level: Logger.Level) -> (Logger, Lock<[String]>) {
            let kept = Lock<[String]>([])
            return (Logger(label: "test") { _ in KeepingHandler(kept: kept, logLevel: level) }, kept)
        }

        @Test("each event is logged with the chain of the signal")
        func events() {
            let (logger, kept) = logger(.debug)
            let recorder = Recorder(Signals.from([1, 2]).map { $0 * 2 }.log(to: logger))
            #expect(recorder.events == [.next(2), .next(4), .completed])
            #expect(
                kept.withLock { $0 } == [
                    "debug subscribed [sequence] map", "debug next: 2 [sequence] map", "debug next: 4 [sequence] map",
                    "debug completed [sequence] map",
                ]
            )
        }

        @Test("a failure is a warning, a disposal and a loss are logged")
        func failureAndDisposal() {
            let (logger, kept) = logger(.trace)
            let failing = Signals.fail(TestFailure(stringLiteral: "broken"), of: Int.self).log(
                to: logger,
                level: .trace
            )
            #expect(Recorder(failing).events == [.failed("broken")])
            let source = Subject(of: Int.self)
            let recorder = Recorder(source.named("source").log(to: logger, level: .info))
            recorder.dispose()
            #expect(
                kept.withLock { $0 } == [
                    "trace subscribed [fail(broken)]", "warning failed: broken [fail(broken)]",
                    "info subscribed [source]", "info disposed [source]",
                ]
            )
        }

        @Test("below the logger's level nothing is logged")
        func quiet() {
            let (logger, kept) = logger(.notice)
            #expect(Recorder(Signals.just(1).log(to: logger)).values == [1])
            #expect(kept.withLock { $0 } == [])
        }

        @Test("log(to:) keeps the delivery contract")
        func contract() {
            let (logger, _) = logger(.critical)
            #expect(ContractCheck("log(to:)") { $0[0].log(to: logger) }.violations() == [])
        }
    }
#endif
