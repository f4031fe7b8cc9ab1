import Bus
import BusTesting
import Foundation
import NotificationBridge
import TestSupport
import Testing

extension Notification.Name {
    fileprivate static let first = Notification.Name("busctl-rx test, first")
    fileprivate static let second = Notification.Name("busctl-rx test, second")
}

private final class Model: Sendable {}

private final class Owner: LifetimeOwner {
    private let token = Lifetime.Token()
    var lifetime: Lifetime { token.lifetime }
}

@Suite("Notifications as a signal")
struct NotificationTests {
    @Test("a notification is heard inside the posting, on its thread", arguments: [true, false])
    func heardInside(isDefault: Bool) {
        let center = isDefault ? NotificationCenter.default : NotificationCenter()
        let model = Model()
        let threads = Heard<Bool>()
        let here = pthread_self()
        let recorder = Recorder(center.notifications(named: .first, object: model) { $0.userInfo?["n"] as? Int }) { _ in
            threads.append(pthread_equal(here, pthread_self()) != 0)
            return .more
        }
        for number in 1...3 {
            center.post(name: .first, object: model, userInfo: ["n": number])
            #expect(recorder.values == Array(1...number))
        }
        center.post(name: .second, object: model, userInfo: ["n": 4])
        center.post(name: .first, object: Model(), userInfo: ["n": 5])
        center.post(name: .first, object: nil, userInfo: ["n": 6])
        center.post(name: .first, object: model, userInfo: ["m": 7])
        #expect(recorder.values == [1, 2, 3])
        #expect(threads.values == [true, true, true])
        recorder.dispose()
        center.post(name: .first, object: model, userInfo: ["n": 8])
        #expect(recorder.values == [1, 2, 3] && recorder.eventsAfterDisposal == 0 && !recorder.hasEnded)
    }

    @Test("without an object, notifications of the name from every sender are heard")
    func anybody() {
        let center = NotificationCenter()
        let recorder = Recorder(center.notifications(named: .first))
        center.post(name: .first, object: nil)
        center.post(name: .first, object: Model())
        center.post(name: .second, object: nil)
        #expect(recorder.values.count == 2)
        recorder.dispose()
    }

    @Test("many listeners hear each notification; one posted inside a callback comes after it for all")
    func many() {
        let center = NotificationCenter()
        let recorders = (0..<10).map { _ in Recorder(center.notifications(named: .first, carrying: Int.self)) }
        let answering = Recorder(center.notifications(named: .first, carrying: Int.self)) { value in
            if value < 3 { center.post(name: .first, object: nil, userInfo: ["value": value + 1]) }
            return .more
        }
        center.post(name: .first, object: nil, userInfo: ["value": 1])
        #expect(answering.values == [1, 2, 3] && answering.violations == [])
        for recorder in recorders {
            // A center calls its observers in no fixed order, so the notification posted inside may come first.
            #expect(recorder.values.sorted() == [1, 2, 3] && recorder.violations == [])
        }
        for recorder in recorders + [answering] { recorder.dispose() }
    }

    @Test(
        "the object is not kept; an object allocated in its place later is not mistaken for it",
        .disabled(if: isSanitized, "a sanitizer does not give an address again soon")
    )
    func anotherInItsPlace() {
        let center = NotificationCenter()
        var recorders: [Recorder<Void, Never>] = []
        var addresses: Set<UInt> = []
        for _ in 0..<100 {
            let model = Model()
            addresses.insert(UInt(bitPattern: Unmanaged.passUnretained(model).toOpaque()))
            recorders.append(Recorder(center.notifications(named: .first, object: model)))
        }
        var tries = 0
        var hits = 0
        var kept: [Model] = []
        while hits < 10, tries < 10_000 {
            let other = Model()
            tries += 1
            kept.append(other)
            guard addresses.contains(UInt(bitPattern: Unmanaged.passUnretained(other).toOpaque())) else { continue }
            hits += 1
            center.post(name: .first, object: other)
        }
        #expect(hits > 0, "no address came again, so nothing was seen")
        #expect(recorders.allSatisfy { $0.values.isEmpty })
        #expect(recorders.contains { $0.hasEnded })
        withExtendedLifetime(kept) {}
        for recorder in recorders { recorder.dispose() }
    }

    @Test("an object that reports its death ends the signal then; a dead object ends it at once")
    func lifetime() {
        let center = NotificationCenter()
        var owner: Owner? = Owner()
        let signal = center.notifications(named: .first, object: owner)
        let recorder = Recorder(signal)
        center.post(name: .first, object: owner)
        #expect(!recorder.hasEnded)
        owner = nil
        #expect(recorder.values.count == 1 && recorder.hasEnded)
        #expect(Recorder(signal).hasEnded)
    }

    @Test("nothing is heard after disposal inside the callback; a stop removes the observer first")
    func endingInside() {
        let center = NotificationCenter()
        let handle = SerialDisposable()
        let heard = Heard<Int>()
        handle.set(
            center.notifications(named: .first, carrying: Int.self).subscribe(next: { value in
                heard.append(value)
                handle.dispose()
                center.post(name: .first, object: nil, userInfo: ["value": 9])
            })
        )
        let stopped = Recorder(center.notifications(named: .second, carrying: Int.self).take(first: 1))
        for value in 1...3 {
            center.post(name: .first, object: nil, userInfo: ["value": value])
            center.post(name: .second, object: nil, userInfo: ["value": value])
        }
        #expect(heard.values == [1])
        #expect(stopped.events == [.next(1), .completed])
    }

    @Test("if nothing is requested, nothing is registered")
    func nothingWanted() {
        let center = NotificationCenter()
        #expect(Recorder(center.notifications(named: .first).take(first: 0)).events.count == 1)
    }

    @Test("the chain is freed with the center")
    func freedWithTheCenter() {
        weak var center: NotificationCenter?
        weak var canary: Canary?
        var handle: (any Disposable)?
        do {
            let (made, bird) = (NotificationCenter(), Canary())
            (center, canary) = (made, bird)
            handle = made.notifications(named: .first).subscribe(next: { _ in bird.sing() })
        }
        #expect(center == nil && canary == nil)
        handle?.dispose()
    }

    @Test("values of threads that post at once are heard one at a time, in each thread's order")
    func manyPosters() throws {
        let center = NotificationCenter()
        // The limit is the number of posts, because a center cannot pause its posters.
        let recorder = Recorder(center.notifications(named: .first, carrying: Int.self, limit: 4000))
        let latches = (0..<4).map { _ in Latch() }
        for (index, latch) in latches.enumerated() {
            try PinnedThread.start(name: "poster") {
                for number in 0..<1000 {
                    center.post(name: .first, object: nil, userInfo: ["value": index * 1000 + number])
                }
                latch.open()
            }
        }
        for latch in latches { latch.wait() }
        // What a poster has left to others is heard soon after it has returned.
        DeliveryThread.settle()
        #expect(recorder.valueCount == 4000)
        recorder.dispose()
        #expect(recorder.violations == [])
        for index in 0..<4 {
            let own = recorder.values.filter { $0 / 1000 == index }
            let isInOrder = own == own.sorted()
            #expect(isInOrder)
        }
    }

    @Test("a listener that pauses delays no poster; values beyond the limit are lost and counted")
    func pausing() {
        let center = NotificationCenter()
        let time = TestScheduler()
        let newest = Recorder(
            center.notifications(named: .first, carrying: Int.self, limit: 2).deliver(on: time, limit: 1)
        )
        let oldest = Recorder(
            center.notifications(named: .first, carrying: Int.self, limit: 2, overflow: .dropOldest)
                .deliver(on: time, limit: 1)
        )
        for value in 1...6 { center.post(name: .first, object: nil, userInfo: ["value": value]) }
        time.advance(by: .milliseconds(1))
        #expect(newest.values == [1, 2, 3] && newest.lost == 3)
        #expect(oldest.values == [1, 5, 6] && oldest.lost == 3)
        for recorder in [newest, oldest] { recorder.dispose() }
    }

    @Test("it keeps the delivery contract")
    func contract() {
        let check = ContractCheck(
            bridge: "notifications",
            except: [.losses: "a notification centre cannot say that values are missing"]
        ) {
            let center = NotificationCenter()
            return (
                { center.post(name: .first, object: nil, userInfo: ["value": $0]) },
                center.notifications(named: .first, carrying: RoundTrip.Spoken.self).eraseToAnySignal()
            )
        }
        #expect(check.violations() == [])
    }
}
