import Bus
import BusTesting
import Testing
import Timers

extension RequestTopic where Request == Int, Reply == String {
    fileprivate static let spelling = RequestTopic("test.spelling")
}

@Suite("Requests with a time limit")
struct RequestTimeoutTests {
    let time = TestScheduler()
    let bus = NotificationBus()

    @Test func aReplyInTimeIsHeard() throws {
        let responder = try bus.respond(to: .spelling) { [time] in
            Signals.just("\($0)").delay(.milliseconds(5), on: time)
        }
        let recorder = Recorder(
            bus.request(7, to: .spelling, timeout: .milliseconds(9), on: time).mapError {
                TestFailure(stringLiteral: "\($0)")
            },
            on: time
        )
        time.run()
        #expect(recorder.events == [.next("7"), .completed])
        #expect(time.pendingCount == 0)
        responder.dispose()
    }

    @Test func aReplyThatIsLateIsATimeoutAndNobodyWaitsForIt() throws {
        let source = ProbeSource(of: String.self, failure: Never.self)
        let responder = try bus.respond(to: .spelling) { _ in source }
        let recorder = Recorder(
            bus.request(7, to: .spelling, timeout: .milliseconds(3), on: time).mapError {
                TestFailure(stringLiteral: "\($0)")
            },
            on: time
        )
        time.advance(by: .milliseconds(2))
        #expect(source.liveSubscriptions == 1)
        time.advance(by: .milliseconds(1))
        #expect(source.liveSubscriptions == 0)
        #expect(recorder.events == [.failed("no reply on test.spelling within 0.003 seconds")])
        responder.dispose()
    }
}
