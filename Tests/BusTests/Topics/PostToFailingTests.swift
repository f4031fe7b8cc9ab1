import Bus
import BusTesting
import TestSupport
import Testing

extension Topic where Value == Int {
    fileprivate static let numbers = Topic("test.numbers")
}

@Suite("Signals that can fail on topics")
struct PostToFailingTests {
    let bus = NotificationBus()

    @Test func theFailureIsHandedOverAndTheTopicGoesOn() {
        let recorder = Recorder(bus.envelopes(for: .numbers))
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let failures = Heard<TestFailure>()
        let handle = source.post(to: .numbers, on: bus, failed: failures.append)
        let line = UInt(#line - 1)
        source.send(1)
        source.sendLoss(of: 1)
        source.fail("broken")
        #expect(failures.values == ["broken"])
        #expect(source.liveSubscriptions == 0)
        bus.post(2, to: .numbers)
        #expect(recorder.values.map(\.value) == [1, 2])
        #expect(recorder.values.first?.origin.line == line)
        #expect(recorder.lost == 1)
        #expect(!recorder.hasEnded)
        handle.dispose()
    }

    @Test func disposalEndsIt() {
        let source = ProbeSource(of: Int.self, failure: TestFailure.self)
        let failures = Heard<TestFailure>()
        let handle = source.post(to: .numbers, on: bus, failed: failures.append)
        handle.dispose()
        source.fail("broken")
        #expect(failures.values.isEmpty)
        #expect(source.liveSubscriptions == 0)
    }

    @Test func theSlowestSubscriberSetsThePaceWhereAsked() {
        let slow = PausingRecorder(bus.signal(for: .numbers, limit: 4), after: 1)
        let handle = Signals.from(1...20).promoteFailure(to: TestFailure.self)
            .post(to: .numbers, on: bus, waitsForCapacity: true, failed: { _ in })
        for _ in 1...40 { slow.release(1) }
        #expect(slow.values == Array(1...20))
        #expect(slow.lost == 0)
        handle.dispose()
    }
}
