#if Logging
    import Bus
    import Logging
    import LoggingBridge
    import TestSupport
    import Testing

    @Suite("The task's logger across a change of threads")
    struct LoggerContextTests {
        @Test("the subscriber logs with the sender's metadata")
        func metadata() {
            let worker = ThreadScheduler(name: "logging")
            let heard = Lock<[String]>([])
            let both = Latch()
            let jobs = Subject(of: Int.self)
            let subscription = jobs.capturing(.logger).deliver(on: worker).bound(to: .logger)
                .subscribe(next: { job in
                    let request = Logger.current[metadataKey: "request"].map { "\($0)" } ?? "none"
                    heard.withLock { $0.append("\(job) \(request)") }
                    if job == 2 { both.open() }
                })
            withLogger(mergingMetadata: ["request": "7"]) { _ in jobs.send(1) }
            jobs.send(2)
            // A dropped subject also frees what is still queued for the worker.
            withExtendedLifetime(jobs) { both.wait() }
            #expect(heard.withLock { $0 } == ["1 7", "2 none"])
            subscription.dispose()
        }
    }
#endif
