import Bus
import BusTesting
import Testing

@Suite("on and finally")
struct OnTests {
    /// The signal with every closure writing into a log.
    private func watched<Source: Signal>(_ source: Source, _ log: Log<String>) -> some Signal<Int, TestFailure>
    where Source.Value == Int, Source.Failure == TestFailure {
        source.on(
            next: { log.append("next \($0)") },
            failed: { log.append("failed \($0)") },
            completed: { log.append("completed") },
            terminated: { log.append("terminated") },
            subscribed: { log.append("subscribed") },
            disposed: { log.append("disposed") },
            lost: { log.append("lost \($0)") }
        )
    }

    private func record(_ signal: some Signal<Int, TestFailure>, _ log: Log<String>) -> Recorder<Int, TestFailure> {
        Recorder(
            signal,
            onNext: { value in
                log.append("heard \(value)")
                return .more
            },
            onLoss: { log.append("heard lost \($0)") },
            onEnd: { log.append("heard end") }
        )
    }

    @Test("every event is reported before it is passed on; the end, then the termination")
    func completion() {
        let log = Log<String>()
        let source = ProbeSource<Int, TestFailure>()
        let recorder = record(watched(source, log), log)
        source.send(1)
        source.sendLoss(of: 3)
        source.complete()
        recorder.dispose()
        #expect(
            log.entries == [
                "subscribed", "next 1", "heard 1", "lost 3", "heard lost 3", "completed", "terminated", "heard end",
            ]
        )
    }

    @Test("a failure")
    func failure() {
        let log = Log<String>()
        let source = ProbeSource<Int, TestFailure>()
        let recorder = record(watched(source, log), log)
        source.fail("broken")
        #expect(log.entries == ["subscribed", "failed broken", "terminated", "heard end"])
        #expect(recorder.hasEnded)
    }

    @Test("a disposal is reported after the source is released, and only once")
    func disposal() {
        let log = Log<String>()
        let source = ProbeSource<Int, TestFailure>()
        let signal = watched(source, log).on(disposed: { log.append("held \(source.liveSubscriptions)") })
        let recorder = record(signal, log)
        recorder.dispose()
        recorder.dispose()
        source.complete()
        #expect(Set(log.entries) == ["subscribed", "disposed", "terminated", "held 0"])
        #expect(log.entries.count == 4)
    }

    @Test("a source that is dropped without an end counts as a disposal")
    func dropped() {
        let log = Log<String>()
        var source: ProbeSource<Int, TestFailure>? = ProbeSource()
        let handle = source.map { watched($0, log).subscribe(next: { _ in }, failed: { _ in }) }
        source = nil
        #expect(log.entries == ["subscribed", "disposed", "terminated"])
        handle?.dispose()
        #expect(log.entries.count == 3)
    }

    @Test("an observer that has enough causes a completion")
    func stopped() {
        let log = Log<String>()
        let source = ProbeSource<Int, TestFailure>()
        let recorder = record(watched(source, log).take(first: 1), log)
        source.send(1)
        #expect(log.entries == ["subscribed", "next 1", "heard 1", "completed", "terminated", "heard end"])
        #expect(recorder.hasEnded)
    }

    @Test("disposing inside the next closure")
    func disposedInside() {
        let log = Log<String>()
        let source = ProbeSource<Int, TestFailure>()
        let subscription = SerialDisposable()
        subscription.set(
            source.on(
                next: { _ in subscription.dispose() },
                terminated: { log.append("terminated") },
                disposed: { log.append("disposed") }
            ).subscribe(next: { _ in }, failed: { _ in }, completed: { log.append("completed") })
        )
        source.send(1)
        source.complete()
        #expect(log.entries == ["disposed", "terminated"])
    }

    @Test("disposal on one thread and the end on another: terminated once, with one reason", arguments: 0..<50)
    func race(_: Int) {
        let log = Log<String>()
        let source = Subject(of: Int.self, failure: TestFailure.self)
        let recorder = Recorder(
            source.on(
                completed: { log.append("completed") },
                terminated: { log.append("terminated") },
                disposed: { log.append("disposed") }
            )
        )
        let threads = Threads()
        threads.start { source.complete() }
        threads.start { recorder.dispose() }
        threads.wait()
        #expect(log.entries == ["completed", "terminated"] || log.entries == ["disposed", "terminated"])
        #expect(recorder.violations == [])
    }

    @Test("a trailing closure is called with the values")
    func trailing() {
        let log = Log<Int>()
        let recorder = Recorder(Signals.from(1...3).on { log.append($0) })
        #expect(log.entries == [1, 2, 3] && recorder.values == [1, 2, 3])
    }

    @Test("each subscription is reported separately")
    func independence() {
        let log = Log<String>()
        let signal = Signals.just(1).on(terminated: { log.append("over") }, subscribed: { log.append("subscribed") })
        _ = (Recorder(signal), Recorder(signal))
        #expect(log.entries == ["subscribed", "over", "subscribed", "over"])
    }

    @Test("finally runs once: before a completion or failure is heard, on disposal, and when the source is dropped")
    func finally() {
        let log = Log<String>()
        let completing = Recorder(Signals.just(1).finally { log.append("finally") }, onEnd: { log.append("end") })
        #expect(log.entries == ["finally", "end"])
        #expect(completing.hasEnded)

        let failing = Signals.fail(TestFailure(stringLiteral: "x"), of: Int.self).finally { log.append("failed") }
        #expect(Recorder(failing).events == [.failed("x")])

        let source = ProbeSource<Int, TestFailure>()
        let disposed = Recorder(source.finally { log.append("disposed") })
        disposed.dispose()
        source.complete()

        var dropped: ProbeSource<Int, TestFailure>? = ProbeSource()
        let handle = dropped?.finally { log.append("dropped") }.subscribe(next: { _ in }, failed: { _ in })
        dropped = nil
        handle?.dispose()
        #expect(log.entries == ["finally", "end", "failed", "disposed", "dropped"])
    }

    @Test("finally has released the source before")
    func finallyReleases() {
        let log = Log<Int>()
        let source = ProbeSource<Int, TestFailure>()
        let recorder = Recorder(source.finally { log.append(source.liveSubscriptions) })
        source.complete()
        #expect(log.entries == [0])
        #expect(recorder.hasEnded)
    }
}
