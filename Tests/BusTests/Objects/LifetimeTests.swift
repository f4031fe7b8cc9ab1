import Bus
import BusTesting
import Testing

/// Reports its lifetime.
final class Resident: LifetimeOwner {
    private let token = Lifetime.Token()
    var lifetime: Lifetime { token.lifetime }
    let name = MutableProperty("")
    let heard = Log<Int>()
    var level: Int {
        get { heard.entries.last ?? 0 }
        set { heard.append(newValue) }
    }
}

/// Does not report its lifetime.
final class Guest: Sendable {
    let heard = Log<Int>()
    var level: Int {
        get { heard.entries.last ?? 0 }
        set { heard.append(newValue) }
    }
}

@Suite("Lifetime, take(during:), subscribe(with:)")
struct LifetimeTests {
    typealias Source = ProbeSource<Int, TestFailure>

    @Test func aLifetimeEndsWithItsTokenForEveryoneNowAndLater() {
        var token: Lifetime.Token? = Lifetime.Token()
        let lifetime = token?.lifetime
        let early = lifetime.map { Recorder($0.ended) }
        #expect(lifetime?.hasEnded == false)
        token = nil
        #expect(lifetime?.hasEnded == true)
        #expect(early?.hasEnded == true)
        #expect(lifetime.map { Recorder($0.ended).hasEnded } == true)
    }

    @Test func aLifetimeCanBeEndedByHand() {
        let token = Lifetime.Token()
        token.end()
        token.end()
        #expect(token.lifetime.hasEnded)
    }

    @Test func takeDuringCompletesWithTheLifetimeAndReleasesTheSourceBefore() {
        let source = Source()
        var resident: Resident? = Resident()
        let held = Log<Int>()
        let recorder = resident.map {
            Recorder(source.take(during: $0.lifetime), onEnd: { held.append(source.liveSubscriptions) })
        }
        source.send(1)
        resident = nil
        source.send(2)
        #expect(recorder?.events == [.next(1), .completed])
        #expect(held.entries == [0])
    }

    @Test func takeDuringALifetimeThatIsOverDoesNotSubscribe() {
        let source = Source()
        let token = Lifetime.Token()
        token.end()
        #expect(Recorder(source.take(during: token.lifetime)).events == [.completed])
        #expect(source.subscriptions == 0)
    }

    @Test func aFinishedSubscriptionLeavesNothingWithTheLifetime() {
        let token = Lifetime.Token()
        let isHeld = isKept { canary in
            let source = Source()
            _ = source.take(during: token.lifetime).subscribe(
                next: { _ in canary.sing() },
                failed: { _ in },
                completed: { canary.sing() }
            )
            source.complete()
        }
        #expect(!isHeld)
    }

    @Test func subscribingWithAnObjectGivesItToTheClosuresAndDoesNotKeepIt() {
        let source = Source()
        var guest: Guest? = Guest()
        weak let watched = guest
        if let guest {
            _ = source.subscribe(with: guest, next: { guest, value in guest.heard.append(value) }, failed: { _, _ in })
        }
        source.send(1)
        #expect(guest?.heard.entries == [1])
        guest = nil
        #expect(watched == nil)
        #expect(source.liveSubscriptions == 1)
        source.send(2)
        #expect(source.liveSubscriptions == 0)
    }

    @Test func withAnObjectThatSaysHowLongItLivesTheSubscriptionEndsAtOnce() {
        let source = Source()
        let ended = Log<String>()
        var resident: Resident? = Resident()
        if let resident {
            _ = source.subscribe(
                with: resident,
                next: { resident, value in resident.heard.append(value) },
                failed: { _, _ in },
                completed: { _ in ended.append("completed") }
            )
        }
        source.send(1)
        resident = nil
        #expect(source.liveSubscriptions == 0)
        #expect(ended.entries == [])
    }

    @Test func theEndIsHeardWhileTheObjectIsThere() {
        let heard = Log<String>()
        let guest = Guest()
        let (completing, failing) = (Source(), Source())
        for source in [completing, failing] {
            _ = source.subscribe(
                with: guest,
                next: { _, _ in },
                failed: { _, failure in heard.append("\(failure)") },
                completed: { _ in heard.append("completed") },
                lost: { _, count in heard.append("lost \(count)") }
            )
        }
        completing.sendLoss(of: 3)
        completing.complete()
        failing.fail("broken")
        #expect(heard.entries == ["lost 3", "completed", "\(TestFailure("broken"))"])
    }

    @Test func theObjectMayDieInsideItsOwnCallback() {
        let source = Source()
        let held = MutableProperty<Resident?>(Resident())
        if let resident = held.value {
            _ = source.subscribe(with: resident, next: { _, _ in held.value = nil }, failed: { _, _ in })
        }
        source.send(1)
        #expect(held.value == nil)
        #expect(source.liveSubscriptions == 0)
    }

    @Test func theObjectDiesWhileAnotherThreadSends() {
        for _ in 0..<100 {
            let source = Source()
            let held = MutableProperty<Resident?>(Resident())
            if let resident = held.value {
                _ = source.subscribe(
                    with: resident,
                    next: { resident, value in resident.heard.append(value) },
                    failed: { _, _ in }
                )
            }
            let group = Threads()
            group.start { for value in 0..<100 { source.send(value) } }
            group.start { held.value = nil }
            group.wait()
            #expect(source.liveSubscriptions == 0)
        }
    }
}
