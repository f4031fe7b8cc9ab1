import Bus
import BusTesting
import Foundation
import NotificationBridge
import Testing

private final class Sender: Sendable {}

private final class Owner: LifetimeOwner {
    private let token = Lifetime.Token()
    var lifetime: Lifetime { token.lifetime }
}

@Suite("Posting from a signal")
struct PostTests {
    private let name = Notification.Name("busctl-rx test, posted")

    @Test("each value is posted, under the key or as specified, in the object's name")
    func posts() {
        let center = NotificationCenter()
        let sender = Sender()
        let levels = Subject(of: Int.self)
        let plain = Recorder(center.notifications(named: name, carrying: Int.self))
        let told = Recorder(center.notifications(named: name, object: sender) { $0.userInfo?["level"] as? Int })
        let first = levels.post(as: name, to: center)
        let second = levels.post(as: name, to: center, object: sender, carrying: { ["level": $0] })
        levels.send(3)
        #expect(plain.values == [3] && told.values == [3])
        first.dispose()
        levels.send(4)
        #expect(plain.values == [3] && told.values == [3, 4])
        second.dispose()
        levels.send(5)
        #expect(plain.values == [3] && told.values == [3, 4])
        plain.dispose()
        told.dispose()
    }

    @Test("losses above the posting are counted as unheard")
    func losses() {
        let source = ProbeSource<Int, Never>()
        let posting = source.post(as: name, to: NotificationCenter())
        let before = Subscriptions.unheardLosses
        // More than other tests lose meanwhile, and less than `LossTests` notices.
        source.sendLoss(of: 100_000_000)
        #expect(Subscriptions.unheardLosses - before >= 100_000_000)
        posting.dispose()
    }

    @Test("a dead object ends the posting with the next value, or at once if it reports its death")
    func deadObject() {
        let center = NotificationCenter()
        let recorder = Recorder(center.notifications(named: name, carrying: Int.self))
        let source = ProbeSource<Int, Never>()
        var sender: Sender? = Sender()
        source.post(as: name, to: center, object: sender)
        source.send(1)
        sender = nil
        #expect(source.liveSubscriptions == 1)
        source.send(2)
        #expect(source.liveSubscriptions == 0 && recorder.values == [1])

        var owner: Owner? = Owner()
        source.post(as: name, to: center, object: owner)
        source.send(3)
        #expect(source.liveSubscriptions == 1)
        owner = nil
        #expect(source.liveSubscriptions == 0 && recorder.values == [1, 3])
        recorder.dispose()
    }
}
