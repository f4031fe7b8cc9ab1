import Bus
import BusTesting
import Testing

/// A source that is dropped without an end frees the chain, even if the handle is kept.
@Suite("A dropped source frees the chain")
struct AbandonmentTests {
    private final class Canary: Sendable {
        func sing() {}
    }

    @Test func whatWaitsIsDeliveredFirst() {
        let thread = ThreadScheduler(name: "target")
        let gate = Latch()
        thread.schedule { gate.wait() }
        var subject: Subject<Int, Never>? = Subject(of: Int.self)
        let log = Log<Int>()
        weak var canary: Canary?
        var handle: (any Disposable)?
        do {
            let singer = Canary()
            canary = singer
            handle = subject?.deliver(on: thread).subscribe(next: {
                singer.sing()
                log.append($0)
            })
        }
        for value in 0..<3 { subject?.send(value) }
        subject = nil
        gate.open()
        thread.settle()
        #expect(log.entries == [0, 1, 2])
        #expect(canary == nil)
        withExtendedLifetime(handle) {}
    }

    @Test func aHopWithNothingWaitingIsFreedAtOnce() {
        let thread = ThreadScheduler(name: "target")
        var subject: Subject<Int, Never>? = Subject(of: Int.self)
        weak var canary: Canary?
        var handle: (any Disposable)?
        do {
            let singer = Canary()
            canary = singer
            handle = subject?.deliver(on: thread).subscribe(next: { _ in singer.sing() })
        }
        #expect(canary != nil)
        subject = nil
        #expect(canary == nil)
        withExtendedLifetime(handle) {}
    }

    @Test func droppedWhileItsOwnValueIsHandled() {
        let held = Lock<Subject<Int, Never>?>(Subject(of: Int.self))
        let log = Log<Int>()
        let handle = held.withLock { $0 }?.map { $0 }.merge(Signals.never(Int.self)).subscribe(next: { value in
            log.append(value)
            guard value == 1 else { return }
            let dropped = held.withLock { subject -> Subject<Int, Never>? in subject.take() }
            dropped?.send(2)
        })
        held.withLock { $0 }?.send(1)
        #expect(log.entries == [1, 2])
        withExtendedLifetime(handle) {}
    }

    @Test func whatAnActionPutsBehindTheLastWordIsDeliveredFirst() {
        let log = Log<String>()
        let output: SerialObserver<AnsweringObserver<Int>>
        weak var canary: Canary?
        do {
            let singer = Canary()
            canary = singer
            output = SerialObserver(
                AnsweringObserver(onNext: { value in
                    singer.sing()
                    log.append("\(value)")
                    return .more
                })
            )
        }
        output.perform { _, _ in
            output.perform { _, _ in output.perform { observer, _ in _ = observer?.next(1) } }
            output.abandon()
        }
        #expect(log.entries == ["1"])
        #expect(canary == nil)
    }

    @Test func disposingAfterwardsIsHarmless() {
        var subject: Subject<Int, Never>? = Subject(of: Int.self)
        let handle = subject?.merge(Signals.never(Int.self)).subscribe()
        subject = nil
        #expect(handle?.isDisposed == false)
        handle?.dispose()
        #expect(handle?.isDisposed == true)
    }
}
