import Bus
import BusTesting
import Testing

@Suite("catch and replaceError")
struct CatchTests {
    private struct Other: Error, Equatable {}

    @Test("the recovery follows the failure, with its own failure type")
    func recovery() {
        let source = ProbeSource<Int, TestFailure>()
        let recovery = ProbeSource<Int, Other>()
        let seen = Log<TestFailure>()
        let recorder = Recorder(
            source.catch { failure in
                seen.append(failure)
                return recovery
            }
        )
        source.send(1)
        #expect(recovery.subscriptions == 0)
        source.fail("broken")
        #expect(seen.entries == ["broken"])
        #expect(source.liveSubscriptions == 0)
        recovery.send(2)
        recovery.fail(Other())
        #expect(recorder.events == [.next(1), .next(2), .failed(Other())])
        #expect(recovery.liveSubscriptions == 0)
    }

    @Test("a completion starts no recovery")
    func completion() {
        let recorder = Recorder(Attempts(failing: 0).signal.catch { _ in Signals.just(9) })
        #expect(recorder.events == [.next(1), .completed])
    }

    @Test("a source that fails while being subscribed to, and a recovery that sends at once")
    func synchronous() {
        let recorder = Recorder(Attempts(failing: 1).signal.catch { _ in Signals.from([7, 8]) })
        #expect(recorder.events == [.next(1), .next(7), .next(8), .completed])
    }

    @Test("the recovery is subscribed to after the source's subscribe has returned")
    func order() {
        let log = Log<String>()
        let source = Signals.create(of: Int.self, failure: TestFailure.self) { emitter in
            emitter.fail("at once")
            log.append("body returns")
            return nil
        }
        let recorder = Recorder(
            source.catch { _ in
                log.append("handler")
                return Signals.empty(Int.self)
            }
        )
        #expect(recorder.events == [.completed])
        #expect(log.entries == ["body returns", "handler"])
    }

    @Test("an observer that has enough gets no recovery")
    func stopped() {
        let calls = Log<Int>()
        let recorder = Recorder(
            Attempts(failing: 1).signal.catch { _ in
                calls.append(1)
                return Signals.just(9)
            }.take(first: 1)
        )
        #expect(recorder.events == [.next(1), .completed])
        #expect(calls.entries == [])
    }

    @Test("disposing inside the handler keeps the recovery silent")
    func disposedInsideHandler() {
        let source = ProbeSource<Int, TestFailure>()
        let recovery = ProbeSource<Int, TestFailure>()
        let subscription = SerialDisposable()
        let heard = Log<String>()
        subscription.set(
            source.catch { _ in
                subscription.dispose()
                return recovery
            }.subscribe(next: { heard.append("\($0)") }, failed: { heard.append("\($0)") })
        )
        source.fail("broken")
        recovery.send(1)
        recovery.fail("again")
        #expect(heard.entries == [])
        #expect(recovery.liveSubscriptions == 0)
    }

    @Test("disposing inside a recovery that sends while being subscribed to stops it")
    func disposedInsideRecovery() {
        let source = ProbeSource<Int, TestFailure>()
        let subscription = SerialDisposable()
        let heard = Log<Int>()
        subscription.set(
            source.catch { _ in Signals.from(1...) }.subscribe(next: { value in
                heard.append(value)
                if value == 3 { subscription.dispose() }
            })
        )
        source.fail("broken")
        #expect(heard.entries == [1, 2, 3])
    }

    @Test("the source is released: dropping it frees the chain")
    func freed() {
        var source: ProbeSource<Int, TestFailure>? = ProbeSource()
        weak let weakly = source
        let handle = source?.catch { _ in Signals.just(1) }.subscribe()
        source = nil
        #expect(weakly == nil)
        withExtendedLifetime(handle) {}
    }

    @Test("replaceError turns the failure into a last value")
    func replaceError() {
        #expect(Recorder(Attempts(failing: 1).signal.replaceError(with: 0)).events == [.next(1), .next(0), .completed])
        #expect(Recorder(Attempts(failing: 0).signal.replaceError(with: 0)).events == [.next(1), .completed])
        let first = Recorder(Signals.fail(TestFailure(stringLiteral: "x"), of: Int.self).replaceError(with: 0))
        #expect(first.events == [.next(0), .completed])
    }

    @Test("replaceError, disposed of by the subscriber of the replacement, sends no end")
    func disposalByTheReplacement() {
        let source = Subject(of: Int.self, failure: TestFailure.self)
        let handle = SerialDisposable()
        let heard = Log<String>()
        handle.set(
            source.replaceError(with: 0).subscribe(
                next: { value in
                    heard.append("\(value)")
                    handle.dispose()
                },
                completed: { heard.append("|") }
            )
        )
        source.fail("x")
        #expect(heard.entries == ["0"])
    }

    @Test("replaceError sends nothing to an observer that has enough")
    func replaceErrorStopped() {
        let source = ProbeSource<Int, TestFailure>()
        let recorder = Recorder(source.replaceError(with: 0).take(first: 1))
        source.send(5)
        source.fail("late")
        #expect(recorder.events == [.next(5), .completed])
    }
}
