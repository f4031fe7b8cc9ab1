import Bus
import BusTesting
import TestSupport
import Testing

@Suite("A replay pauses with its subscriber")
struct ReplayPausingTests {
    private static let many = 5_000

    private func filled(_ count: Int = Self.many, capacity: Int = Self.many) -> ReplaySubject<Int, TestFailure> {
        let subject = ReplaySubject(of: Int.self, failure: TestFailure.self, capacity: capacity)
        for value in 0..<count { subject.send(value) }
        return subject
    }

    @Test("It sends no more than there is room for, and loses nothing")
    func pauses() {
        let subject = filled()
        let recorder = PausingRecorder(subject, after: 3)
        #expect(recorder.values == [0, 1, 2])
        recorder.release(2)
        #expect(recorder.values == [0, 1, 2, 3, 4])
        recorder.release()
        #expect(recorder.values == Array(0..<Self.many))
        subject.send(Self.many)
        #expect(recorder.values.last == Self.many)
        #expect(recorder.lost == 0)
        #expect(recorder.violations == [])
    }

    @Test("It waits for a subscriber that pauses from the beginning")
    func pausedFromTheBeginning() {
        let subject = filled(2)
        let recorder = PausingRecorder(subject, after: 0)
        subject.send(2)
        #expect(recorder.values == [])
        recorder.release()
        #expect(recorder.values == [0, 1, 2])
    }

    @Test("Values that are sent meanwhile are heard after the kept ones, once")
    func valuesMeanwhile() {
        let subject = filled(3, capacity: 10)
        let recorder = PausingRecorder(subject, after: 1)
        for value in 3..<6 { subject.send(value) }
        #expect(recorder.values == [0])
        recorder.release()
        subject.send(6)
        #expect(recorder.values == Array(0...6))
        #expect(recorder.lost == 0)
    }

    @Test("The newest replace the oldest, which are reported where they are missing")
    func replaced() {
        let subject = filled(3, capacity: 3)
        let recorder = PausingRecorder(subject, after: 1)
        for value in 3..<7 { subject.send(value) }
        #expect(recorder.lost == 0)
        recorder.release()
        // 1, 2 and 3 were dropped; 4, 5 and 6 are kept.
        #expect(recorder.values == [0, 4, 5, 6])
        #expect(recorder.lost == 3)
    }

    @Test("Losses among the kept values are reported once each, also among those that were dropped")
    func gaps() {
        let subject = filled(1, capacity: 3)
        subject.sendLoss(of: 10)
        subject.send(1)
        let early = PausingRecorder(subject, after: 1)
        #expect(early.values == [0])
        subject.sendLoss(of: 100)
        subject.send(2)
        subject.send(3)
        subject.sendLoss(of: 1000)
        early.release()
        #expect(early.values == [0, 1, 2, 3])
        #expect(early.lost == 1110)

        let late = PausingRecorder(subject, after: 1)
        #expect(late.values == [1])
        for value in 4..<8 { subject.send(value) }
        late.release()
        // 2, 3 and 4 were dropped, with 100 before and 1000 behind 3.
        #expect(late.values == [1, 5, 6, 7])
        #expect(late.lost == 1103)
    }

    @Test("It is heard to its end after the end of the source")
    func afterTheEnd() {
        let subject = filled(5)
        subject.fail("end")
        let recorder = PausingRecorder(subject, after: 2)
        #expect(recorder.values == [0, 1])
        #expect(!recorder.hasEnded)
        recorder.release()
        #expect(recorder.events.last == .failed("end"))
        #expect(recorder.values == [0, 1, 2, 3, 4])
    }

    @Test("An end that comes meanwhile is heard after the kept values")
    func endMeanwhile() {
        let subject = filled(5)
        let recorder = PausingRecorder(subject, after: 2)
        subject.complete()
        #expect(!recorder.hasEnded)
        recorder.release()
        #expect(recorder.values == [0, 1, 2, 3, 4])
        #expect(recorder.events.last == .completed)
    }

    /// What is done with a subscriber that has heard a part.
    enum Leaving: CaseIterable { case dispose, dropTheSubject, disposeAfterTheEnd, hearTheRestAndDropTheSubject }

    @Test("A subscriber that leaves in the middle, or whose subject goes, is freed", arguments: Leaving.allCases)
    func freed(way: Leaving) {
        var canary: Canary? = Canary()
        weak let left = canary
        var subject: ReplaySubject? = filled(5)
        let recorder = record(subject ?? filled(0), &canary)
        #expect(recorder.values == [0, 1])
        #expect(left != nil)
        switch way {
        case .dispose: recorder.dispose()
        case .dropTheSubject: subject = nil
        case .disposeAfterTheEnd:
            subject?.complete()
            recorder.dispose()
        case .hearTheRestAndDropTheSubject:
            recorder.release()
            #expect(recorder.values.count == 5)
            subject = nil
        }
        #expect(left == nil)
        withExtendedLifetime((subject, recorder)) {}
    }

    private func record(
        _ subject: ReplaySubject<Int, TestFailure>,
        _ canary: inout Canary?
    ) -> PausingRecorder<Int, TestFailure> {
        let held = canary.take()
        return PausingRecorder(subject.map { value in withExtendedLifetime(held) { value } }, after: 2)
    }

    @Test("A sender that waits for room waits for it, too")
    func demand() {
        let subject = filled(5)
        let recorder = PausingRecorder(subject, after: 2)
        #expect(subject.demand == .pause)
        let called = Lock(0)
        #expect(subject.whenReady { called.withLock { $0 += 1 } } == .pause)
        recorder.release(1)
        #expect(called.withLock { $0 } == 0)
        recorder.release()
        #expect(called.withLock { $0 } == 1)
        #expect(subject.demand == .more)
    }

    @Test("A late subscriber of a topic hears all that is kept", arguments: ["values", "envelopes", "pattern"])
    func topic(kind: String) {
        let bus = NotificationBus()
        let topic = Topic<Int>("kept.many", keeping: .last(Self.many))
        for value in 0..<Self.many { bus.post(value, to: topic) }
        let signal: AnySignal<Int, Never> =
            switch kind {
            case "values": bus.signal(for: topic).eraseToAnySignal()
            case "envelopes": bus.envelopes(for: topic).map(\.value).eraseToAnySignal()
            default: bus.envelopes(matching: "kept.*").compactMap { $0.value as? Int }.eraseToAnySignal()
            }
        let recorder = PausingRecorder(signal, after: 3)
        #expect(recorder.values == [0, 1, 2])
        recorder.release()
        bus.post(Self.many, to: topic)
        #expect(recorder.values == Array(0...Self.many))
        #expect(recorder.lost == 0)
    }

    @Test("A task that subscribes late hears all that is kept")
    func task() async throws {
        let subject = filled()
        subject.complete()
        var heard = 0
        for try await value in subject.values(limit: 4) {
            #expect(value == heard)
            heard += 1
        }
        #expect(heard == Self.many)
    }
}
