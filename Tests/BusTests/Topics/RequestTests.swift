import Bus
import BusTesting
import TestSupport
import Testing

extension RequestTopic where Request == Int, Reply == String {
    fileprivate static let spelling = RequestTopic("test.spelling")
}

@Suite("Requests on a bus")
struct RequestTests {
    let bus = NotificationBus()

    @Test func theFirstValueIsTheReply() throws {
        let responder = try bus.respond(to: .spelling) { number in Signals.from(["\(number)", "more"]) }
        let recorder = Recorder(bus.request(7, to: .spelling).mapError { TestFailure(stringLiteral: "\($0)") })
        #expect(recorder.events == [.next("7"), .completed])
        responder.dispose()
        let late = Recorder(bus.request(7, to: .spelling).mapError { TestFailure(stringLiteral: "\($0)") })
        #expect(late.events == [.failed("nobody responds to requests on test.spelling")])
    }

    @Test func aReplyThatFailsOrNeverComesIsAnError() throws {
        let failing = try bus.respond(to: .spelling) { _ in AnySignal<String, TestFailure>(Signals.fail("broken")) }
        let failed = Recorder(bus.request(7, to: .spelling).mapError { TestFailure(stringLiteral: "\($0)") })
        #expect(failed.events == [.failed("the request on test.spelling failed: broken")])
        failing.dispose()
        let silent = try bus.respond(to: .spelling) { _ in Signals.empty(String.self) }
        let empty = Recorder(bus.request(7, to: .spelling).mapError { TestFailure(stringLiteral: "\($0)") })
        #expect(empty.events == [.failed("the responder of test.spelling gave no reply")])
        silent.dispose()
    }

    @Test func aTopicHasOneResponder() throws {
        let first = try bus.respond(to: .spelling) { Signals.just("\($0)") }
        #expect(throws: RespondError.taken("test.spelling")) {
            _ = try bus.respond(to: .spelling) { Signals.just("\($0)") }
        }
        first.dispose()
        let second = try bus.respond(to: .spelling) { Signals.just("\($0)") }
        first.dispose()
        #expect(Recorder(bus.request(1, to: .spelling)).values == ["1"])
        second.dispose()
        bus.close()
        #expect(throws: RespondError.closed("test.spelling")) {
            _ = try bus.respond(to: .spelling) { Signals.just("\($0)") }
        }
    }

    @Test func whoeverAskedAndLeftIsNotAnswered() throws {
        let source = ProbeSource(of: String.self, failure: Never.self)
        let responder = try bus.respond(to: .spelling) { _ in source }
        let recorder = Recorder(bus.request(7, to: .spelling))
        #expect(source.liveSubscriptions == 1)
        recorder.dispose()
        #expect(source.liveSubscriptions == 0)
        let answered = Recorder(bus.request(7, to: .spelling))
        source.send("seven")
        #expect(answered.values == ["seven"])
        #expect(source.liveSubscriptions == 0)
        responder.dispose()
    }

    @Test func requestsAreSeenByThoseWhoWatch() throws {
        let watcher = Recorder(bus.envelopes(matching: "test.>"))
        let responder = try bus.respond(to: .spelling) { Signals.just("\($0)") }
        let recorder = Recorder(bus.request(7, to: .spelling))
        #expect(recorder.values == ["7"])
        #expect(watcher.values.map(\.description) == ["test.spelling #1: 7"])
        responder.dispose()
        watcher.dispose()
    }

    @Test func aChildAsksItsBusWhereItHasNoResponder() throws {
        let child = bus.child(named: "child")
        let outer = try bus.respond(to: .spelling) { Signals.just("outer \($0)") }
        #expect(Recorder(child.request(7, to: .spelling)).values == ["outer 7"])
        let inner = try child.respond(to: .spelling) { Signals.just("inner \($0)") }
        #expect(Recorder(child.request(7, to: .spelling)).values == ["inner 7"])
        #expect(Recorder(bus.request(7, to: .spelling)).values == ["outer 7"])
        inner.dispose()
        outer.dispose()
    }

    @Test func tasksAskAndAnswer() async throws {
        let responder = try bus.respond(
            to: .spelling,
            async: { number in
                await Task.yield()
                return "\(number)"
            }
        )
        for number in 0..<100 {
            let reply = try await bus.request(number, to: .spelling).firstValue()
            #expect(reply == "\(number)")
        }
        responder.dispose()
    }

    @Test func aResponderIsFreedWithItsHandleAndWithTheBus() throws {
        let bus = bus
        let left = try LeakCheck.leftovers { check in
            let canary = check.canary()
            let answer: @Sendable (Int) -> AnySignal<String, Never> = { number in
                withExtendedLifetime(canary) { Signals.just("\(number)").eraseToAnySignal() }
            }
            try bus.respond(to: .spelling, with: answer).dispose()
            let second = NotificationBus()
            check.watch(second)
            _ = try second.respond(to: .spelling, with: answer)
        }
        #expect(left == [])
    }
}
