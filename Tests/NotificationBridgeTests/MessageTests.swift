import Bus
import BusTesting
import Foundation
import NotificationBridge
import TestSupport
import Testing

private final class Session: Sendable {}

private final class Owner: LifetimeOwner {
    private let token = Lifetime.Token()
    var lifetime: Lifetime { token.lifetime }
}

private struct Opened: NotificationCenter.AsyncMessage {
    typealias Subject = Session
    let number: Int
}

private struct OwnerSpoke: NotificationCenter.AsyncMessage {
    typealias Subject = Owner
    let number: Int
}

private struct Drawn: NotificationCenter.MainActorMessage {
    typealias Subject = Session
    let number: Int
}

@Suite("Typed messages as a signal")
struct MessageTests {
    @Test("asynchronous messages arrive in the order of posting, and none is lost")
    func order() async throws {
        for center in [NotificationCenter.default, NotificationCenter()] {
            let (session, count) = (Session(), Stress.rounds(2_000, stress: 10_000))
            let signal = center.messages(ofType: Opened.self, from: session, limit: .max).map(\.number)
            var heard = signal.values(limit: .max).makeAsyncIterator()
            for number in 0..<count {
                center.post(Opened(number: number), subject: session)
                if number % 100 == 0 { center.post(Opened(number: -1), subject: Session()) }
            }
            var numbers: [Int] = []
            while numbers.count < count, let number = try await heard.next() { numbers.append(number) }
            let isInOrder = numbers == Array(0..<count)
            #expect(isInOrder)
        }
    }

    @Test("a listener that pauses delays no poster; messages beyond the limit are lost and counted")
    func pausing() async {
        let center = NotificationCenter()
        let time = TestScheduler()
        let recorder = Recorder(center.messages(ofType: Opened.self, on: time, limit: 3).map(\.number))
        for number in 1...10 { center.post(Opened(number: number)) }
        // Foundation delivers them on its own thread, and a loss is reported after the queued values.
        await offThePool {
            _ = NewsBoard().wait {
                time.advance(by: .milliseconds(1))
                return recorder.valueCount + recorder.lost == 10
            }
        }
        #expect(recorder.valueCount + recorder.lost == 10)
        #expect(recorder.values == recorder.values.sorted() && recorder.valueCount >= 3)
        recorder.dispose()
    }

    @Test("messages of any sender are heard without a subject, with one and without")
    func anybody() async throws {
        let center = NotificationCenter()
        var heard = center.messages(ofType: Opened.self).map(\.number).values().makeAsyncIterator()
        center.post(Opened(number: 1), subject: Session())
        center.post(Opened(number: 2))
        #expect(try await heard.next() == 1)
        #expect(try await heard.next() == 2)
    }

    @Test("a subject that reports its death ends the signal then")
    func lifetime() async throws {
        let center = NotificationCenter()
        var owner: Owner? = Owner()
        var heard = center.messages(ofType: OwnerSpoke.self, from: owner).map(\.number).values().makeAsyncIterator()
        if let owner { center.post(OwnerSpoke(number: 1), subject: owner) }
        #expect(try await heard.next() == 1)
        owner = nil
        #expect(try await heard.next() == nil)
    }

    @Test("when registered and dropped at once repeatedly, no task is left behind")
    func comeAndGo() async throws {
        let center = NotificationCenter()
        let alive = Alive()
        for _ in 0..<Stress.rounds(500, stress: 10_000) {
            let token = alive.token()
            center.messages(ofType: Opened.self).subscribe(next: { _ in token.sing() }).dispose()
        }
        await offThePool { alive.waitForNone() }
        // The last registration works although the others are gone.
        var heard = center.messages(ofType: Opened.self).map(\.number).values().makeAsyncIterator()
        center.post(Opened(number: 7))
        #expect(try await heard.next() == 7)
    }

    @Test("main actor messages are heard inside the posting, and extracted values may go anywhere")
    @MainActor
    func mainActor() {
        for center in [NotificationCenter.default, NotificationCenter()] {
            let session = Session()
            let all = Recorder(center.messages(ofType: Drawn.self) { $0.number })
            let odd = Recorder(
                center.messages(ofType: Drawn.self, from: session) { $0.number % 2 == 1 ? $0.number : nil }
            )
            for number in 1...3 { center.post(Drawn(number: number), subject: session) }
            center.post(Drawn(number: 4))
            center.post(Drawn(number: 5), subject: Session())
            #expect(all.values == [1, 2, 3, 4, 5] && odd.values == [1, 3])
            all.dispose()
            odd.dispose()
            center.post(Drawn(number: 6), subject: session)
            #expect(all.values.count == 5 && all.eventsAfterDisposal == 0)
        }
    }

    @Test("messages of both kinds that are posted from a signal arrive")
    func posting() async throws {
        let center = NotificationCenter()
        let session = Session()
        var opened = center.messages(ofType: Opened.self, from: session).map(\.number).values().makeAsyncIterator()
        var drawn = center.messages(ofType: Drawn.self, from: session) { $0.number }.values().makeAsyncIterator()
        let numbers = Subject(of: Int.self)
        let first = numbers.map { Opened(number: $0) }.post(to: center, from: session)
        let second = numbers.map { Drawn(number: $0) }.postOnMainActor(to: center, from: session)
        numbers.send(1)
        #expect(try await opened.next() == 1)
        #expect(try await drawn.next() == 1)
        first.dispose()
        second.dispose()
    }

    @Test("together with a listener by name, each hears its own kind of message")
    @MainActor
    func besideNames() {
        let center = NotificationCenter()
        let name = Notification.Name("busctl-rx test, beside messages")
        let named = Recorder(center.notifications(named: name, carrying: Int.self))
        let typed = Recorder(center.messages(ofType: Drawn.self) { $0.number })
        center.post(Drawn(number: 1))
        center.post(name: name, object: nil, userInfo: ["value": 2])
        #expect(named.values == [2] && typed.values == [1])
        named.dispose()
        typed.dispose()
    }

    @Test("main actor messages keep the delivery contract, as far as one thread can test it")
    @MainActor
    func disposalInside() {
        let center = NotificationCenter()
        let handle = SerialDisposable()
        let heard = Heard<Int>()
        handle.set(
            center.messages(ofType: Drawn.self) { $0.number }.subscribe(next: { number in
                heard.append(number)
                handle.dispose()
            })
        )
        center.post(Drawn(number: 1))
        center.post(Drawn(number: 2))
        #expect(heard.values == [1])
    }
}
