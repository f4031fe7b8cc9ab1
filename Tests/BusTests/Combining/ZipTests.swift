import Bus
import BusTesting
import Glibc
import TestSupport
import Testing

@Suite("zip")
struct ZipTests {
    typealias Source = ProbeSource<Int, TestFailure>

    @Test func valuesArePairedByTheirPlace() {
        let (a, b) = (Source(), ProbeSource<String, TestFailure>())
        let two = Recorder(a.zip(b).map { "\($0.0)\($0.1)" })
        let pack = Recorder(Signals.zip(a, b).map { "\($0.0)\($0.1)" })
        for value in 1...3 { a.send(value) }
        for value in ["x", "y"] { b.send(value) }
        #expect(two.values == ["1x", "2y"])
        #expect(pack.values == two.values)
    }

    @Test func aListIsZippedInItsOrder() {
        let sources = (0..<3).map { _ in Source() }
        let recorder = Recorder(Signals.zip(sources))
        for round in 0..<2 { for (index, source) in sources.enumerated() { source.send(round * 10 + index) } }
        #expect(recorder.values == [[0, 1, 2], [10, 11, 12]])
    }

    @Test func nothingToZipCompletes() {
        #expect(Recorder(Signals.zip([Source]())).events == [.completed])
    }

    @Test func itEndsWhenAnInputHasEndedAndIsUsedUp() {
        let (a, b) = (Source(), Source())
        let two = Recorder(a.zip(b).map { $0.0 + $0.1 })
        let pack = Recorder(Signals.zip(a, b).map { $0.0 + $0.1 })
        let list = Recorder(Signals.zip([a, b]).map { $0[0] + $0[1] })
        a.send(1)
        a.send(2)
        a.complete()
        b.send(10)
        #expect(!two.hasEnded)
        b.send(20)
        #expect(two.events == [.next(11), .next(22), .completed])
        #expect(pack.events == two.events)
        #expect(list.events == two.events)
        #expect(b.liveSubscriptions == 0)
    }

    @Test func anInputThatEndsWithNothingWaitingEndsIt() {
        let (a, b) = (Source(), Source())
        let recorder = Recorder(a.zip(b).map { $0.0 })
        b.send(1)
        a.complete()
        #expect(recorder.events == [.completed])
        #expect(b.liveSubscriptions == 0)
    }

    @Test func aFailureOvertakesWhatWaits() {
        let (a, b) = (Source(), Source())
        let two = Recorder(a.zip(b).map { $0.0 })
        let pack = Recorder(Signals.zip(a, b).map { $0.0 })
        a.send(1)
        a.fail("broke")
        b.send(2)
        #expect(two.events == [.failed("broke")])
        #expect(pack.events == [.failed("broke")])
    }

    @Test func anInputFarAheadIsPausedUntilTheOtherCatchesUp() {
        let slow = Subject(of: Int.self)
        let total = 5_000
        let asked = Lock(0)
        let numbers = Signals.from(0..<total).map { value in
            asked.withLock { $0 += 1 }
            return value
        }
        let recorder = Recorder(numbers.zip(slow, limit: 4).map { $0.0 - $0.1 })
        #expect(asked.withLock { $0 } == 4)
        for value in 0..<total {
            slow.send(value)
            #expect(asked.withLock { $0 } <= value + 1 + 4)
        }
        let allFit = recorder.values.allSatisfy { $0 == 0 }
        #expect(allFit)
        #expect(recorder.valueCount == total)
        #expect(recorder.lost == 0)
        #expect(recorder.hasEnded)
    }

    @Test func anInputThatRunsOnAnotherThreadIsPausedToo() {
        let slow = Subject(of: Int.self)
        let total = 5_000
        let fast = ThreadScheduler(name: "fast")
        let recorder = Recorder(Signals.from(0..<total, on: fast).zip(slow, limit: 4).map { $0.0 - $0.1 })
        for value in 0..<4 { slow.send(value) }
        // The other source, which cannot pause, is never more than four ahead.
        for value in 4..<total {
            while recorder.valueCount <= value - 4, !RunLimit.isOver { sched_yield() }
            slow.send(value)
        }
        recorder.waitForEnd()
        let allFit = recorder.values.allSatisfy { $0 == 0 }
        #expect(allFit)
        #expect(recorder.valueCount == total)
        #expect(recorder.lost == 0)
    }

    @Test func aPausedInputIsReleasedWhenTheSubscriptionEnds() {
        weak var canary: Canary?
        let other = Subject(of: Int.self)
        let subscription: any Disposable
        do {
            let singer = Canary()
            canary = singer
            let numbers = Signals.from(0...).map { value in
                singer.sing()
                return value
            }
            subscription = numbers.zip(other, limit: 4).subscribe(next: { _ in })
        }
        #expect(canary != nil)
        subscription.dispose()
        #expect(canary == nil)
    }

    @Test func whatASourceThatCannotPauseSendsTooMuchIsLostTogetherWithItsPartner() {
        let (a, b) = (Subject(of: Int.self), Subject(of: Int.self))
        let (two, pack, list) = (
            Recorder(a.zip(b, limit: 2).map { [$0.0, $0.1] }),
            Recorder(Signals.zip(a, b, limit: 2).map { [$0.0, $0.1] }),
            Recorder(Signals.zip([a, b], limit: 2))
        )
        for value in 1...4 { a.send(value) }
        for value in 1...2 { b.send(value) }
        a.send(5)
        for value in 3...5 { b.send(value) }
        #expect(two.values == [[1, 1], [2, 2], [5, 5]])
        #expect(two.lost == 2)
        #expect(pack.values == two.values)
        #expect(pack.lost == 2)
        #expect(list.values == two.values)
        #expect(list.lost == 2)
    }

    @Test func whatWasLostAboveTakesItsPartnerWithIt() {
        let (a, b) = (Subject(of: Int.self, limit: 1), Subject(of: Int.self))
        let recorder = Recorder(a.zip(b).map { [$0.0, $0.1] })
        // While the first value is delivered, one may be queued and two are lost.
        let sending = a.subscribe(next: { value in if value == 1 { for next in 2...4 { a.send(next) } } })
        defer { sending.dispose() }
        a.send(1)
        a.send(5)
        for value in 1...5 { b.send(value) }
        #expect(recorder.values == [[1, 1], [2, 2], [5, 5]])
        #expect(recorder.lost == 2)
    }

    @Test func whatWasSentTooMuchAndWhatWasLostAboveAddUp() {
        let (a, b) = (Subject(of: Int.self), Subject(of: Int.self))
        let recorders = [
            Recorder(a.zip(b, limit: 2).map { [$0.0, $0.1] }),
            Recorder(Signals.zip(a, b, limit: 2).map { [$0.0, $0.1] }),
            Recorder(Signals.zip([a, b], limit: 2).map { $0 }),
        ]
        for value in 1...4 { a.send(value) }
        a.sendLoss(of: 1)
        for value in 1...2 { b.send(value) }
        a.send(6)
        for value in 3...6 { b.send(value) }
        for recorder in recorders {
            #expect(recorder.values == [[1, 1], [2, 2], [6, 6]])
            #expect(recorder.lost == 3)
        }
    }

    @Test func afterDisposalInsideALossNothingComes() {
        let (a, b) = (Source(), Source())
        let zipped = [
            a.zip(b, limit: 4).map { $0.0 + $0.1 }.eraseToAnySignal(),
            Signals.zip(a, b, limit: 4).map { $0.0 + $0.1 }.eraseToAnySignal(),
            Signals.zip([a, b], limit: 4).map { $0[0] + $0[1] }.eraseToAnySignal(),
        ]
        let log = Log<String>()
        let handles = zipped.map { signal in
            let handle = SerialDisposable()
            handle.set(
                signal.subscribe(
                    next: { log.append("\($0)") },
                    failed: { _ in },
                    lost: { count in
                        log.append("lost \(count)")
                        handle.dispose()
                    }
                )
            )
            return handle
        }
        // The last two are too many, so that the next value of `a` brings a loss along, together with its partner.
        for value in 1...6 { a.send(value) }
        for value in 1...7 { b.send(value) }
        a.send(7)
        #expect(log.entries == ["2", "4", "6", "8"].flatMap { [$0, $0, $0] } + ["lost 2", "lost 2", "lost 2"])
        _ = handles
    }

    @Test func aTupleThatIsNotSentIsReleased() {
        final class Counted: Sendable {
            let log: Log<Int>
            let number: Int
            init(_ number: Int, _ log: Log<Int>) { (self.number, self.log) = (number, log) }
            deinit { log.append(number) }
        }
        let released = Log<Int>()
        let (a, b) = (ProbeSource<Counted, Never>(), ProbeSource<Counted, Never>())
        let handle = SerialDisposable()
        handle.set(
            Signals.zip(a, b, limit: 2).subscribe(next: { _ in }, lost: { _ in handle.dispose() })
        )
        for number in 1...3 { a.send(Counted(number, released)) }
        for number in 11...14 { b.send(Counted(number, released)) }
        a.send(Counted(4, released))
        #expect(handle.isDisposed)
        #expect(released.entries.sorted() == [1, 2, 3, 4, 11, 12, 13, 14])
    }

    @Test func aFailureBehindTheLastTupleIsNotHeard() {
        let (a, b) = (Source(), Source())
        // It fails with the last value of `b`, when `b` has sent that to all its subscribers.
        let failing = b.attemptMap { value throws(TestFailure) in
            if value == 2 { throw "late" }
            return value
        }
        let zipped = Recorder(Signals.zip(a, failing, b.skip(first: 1)).map { "\($0.0) \($0.1) \($0.2)" })
        let latest = Recorder(
            Signals.combineLatest(a, failing, b.skip(first: 1)).map { "\($0.0) \($0.1) \($0.2)" }.take(first: 1)
        )
        a.send(1)
        a.complete()
        b.send(1)
        b.send(2)
        // The tuple was the last, because the first input has ended.
        #expect(zipped.events == [.next("1 1 2"), .completed])
        #expect(latest.events == [.next("1 1 2"), .completed])
    }

    @Test func sequencesThatAreLongerThanTheLineLoseNothing() {
        let numbers = Signals.from(0..<10)
        let pack = Recorder(Signals.zip(numbers, numbers, limit: 4).map { $0.0 - $0.1 })
        let list = Recorder(Signals.zip([numbers, numbers, numbers], limit: 4).map { $0[0] + $0[1] - 2 * $0[2] })
        for recorder in [Recorder(numbers.zip(numbers, limit: 4).map { $0.0 - $0.1 }), pack, list] {
            #expect(recorder.values == Array(repeating: 0, count: 10))
            #expect(recorder.lost == 0)
            #expect(recorder.hasEnded)
        }
    }

    @Test func takingOneOfAReplayedZipDoesNotDeadlock() {
        // The situation of RxSwift's issue 2653: an end inside a delivery that itself runs inside a subscription.
        let source = Subject(of: Int.self)
        let log = Log<Int>()
        let zipped = source.zip(source.map { $0 * 2 }).take(first: 1).map { $0.0 + $0.1 }
        _ = zipped.subscribe(next: { value in
            log.append(value)
            _ = zipped.subscribe(next: { log.append($0) })
            source.send(value)
        })
        source.send(1)
        #expect(log.entries == [3, 9])
    }

    @Test("a loss of no values is none", arguments: [0, -1])
    func noLoss(count: Int) {
        let (a, b) = (Source(), Source())
        let recorders = [
            Recorder(Signals.zip(a, b).map { [$0.0, $0.1] }), Recorder(Signals.zip([a, b])),
            Recorder(a.zip(b).map { [$0.0, $0.1] }),
        ]
        a.sendLoss(of: count)
        b.send(1)
        a.send(2)
        for recorder in recorders {
            #expect(recorder.values == [[2, 1]])
            #expect(recorder.lost == 0)
        }
    }
}
