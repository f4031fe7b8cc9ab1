import BusTesting
import Testing

@testable import Bus

@Suite("A subject with many subscribers")
struct FanoutTests {
    @Test func theOrderOfSubscriptionIsKeptWhileManyLeave() {
        let subject = Subject(of: Int.self)
        let heard = Log<Int>()
        var handles: [any Disposable] = []
        for index in 0..<1_000 { handles.append(subject.subscribe(next: { _ in heard.append(index) })) }
        // All but each tenth leave, each at its own place in the order.
        for index in (0..<1_000).reversed() where index % 10 != 0 { handles[index].dispose() }
        _ = subject.subscribe(next: { _ in heard.append(1_000) })
        // The remaining ones have closed the gaps by now, and can still leave.
        for handle in handles[500...] { handle.dispose() }
        subject.send(0)
        let expected = Array(stride(from: 0, to: 500, by: 10)) + [1_000]
        #expect(heard.entries == expected)
    }

    @Test func thoseWhoLeftTakeNoMoreRoomThanThoseWhoStay() {
        var list = Fanout<Int, Never>()
        let slots = (0..<100).map { _ in ObserverSlot(AnsweringObserver<Int>()) }
        for slot in slots { list.add(slot) }
        for slot in slots.dropFirst(10) { list.remove(slot) }
        #expect(list.count == 10)
        #expect(list.slots.count <= 20)
    }

    @Test func thoseThatWantNoMoreLeaveAndTheOthersStay() {
        let subject = Subject(of: Int.self)
        let heard = Log<String>()
        for index in 0..<6 {
            _ = subject.take(first: index % 2 == 0 ? 1 : 2).subscribe(
                next: { heard.append("\(index):\($0)") },
                completed: { heard.append("\(index)|") }
            )
        }
        subject.send(1)
        subject.send(2)
        subject.send(3)
        #expect(
            heard.entries == [
                "0:1", "1:1", "2:1", "3:1", "4:1", "5:1", "0|", "2|", "4|", "1:2", "3:2", "5:2", "1|", "3|", "5|",
            ]
        )
    }

    @Test func whoStopsMaySubscribeAndLeaveWhenItHearsItsEnd() {
        let subject = Subject(of: Int.self)
        let heard = Log<String>()
        let other = subject.subscribe(next: { heard.append("other \($0)") })
        _ = subject.take(first: 1).subscribe(completed: {
            other.dispose()
            _ = subject.subscribe(next: { heard.append("later \($0)") })
        })
        subject.send(1)
        subject.send(2)
        #expect(heard.entries == ["other 1", "later 2"])
    }

    @Test func aSubscriberThatIsDisposedOfByAnEarlierOneDoesNotHearTheEvent() {
        let subject = Subject(of: Int.self)
        let heard = Log<Int>()
        let second = SerialDisposable()
        _ = subject.subscribe(next: { _ in second.dispose() })
        second.set(subject.subscribe(next: { heard.append($0) }))
        subject.send(1)
        #expect(heard.entries == [])
        #expect(second.isDisposed)
    }

    @Test func aDisposedSubscriberIsFreedAtOnceAndAnEmptySubjectHoldsNothing() {
        let subject = Subject(of: Int.self)
        var handle: (any Disposable)?
        let isHeld = isKept { canary in handle = subject.subscribe(next: { _ in canary.sing() }) }
        #expect(isHeld)
        let isStillHeld = isKept { canary in
            subject.subscribe(next: { _ in canary.sing() }).dispose()
        }
        #expect(!isStillHeld)
        handle?.dispose()
    }

    @Test func disposingInsideTheOwnCallbackFreesAfterIt() {
        let subject = Subject(of: Int.self)
        let handle = SerialDisposable()
        let isHeld = isKept { canary in
            handle.set(
                subject.subscribe(next: { _ in
                    handle.dispose()
                    canary.sing()
                })
            )
            subject.send(1)
        }
        #expect(!isHeld)
    }

    @Test func droppingTheSubjectFreesTheChainThoughTheHandleIsKept() {
        var subject: Subject<Int, Never>? = Subject()
        var handle: (any Disposable)?
        let isHeld = isKept { canary in
            handle = subject?.map { $0 + 1 }.subscribe(next: { _ in canary.sing() })
            subject?.send(1)
            subject = nil
        }
        #expect(!isHeld)
        handle?.dispose()
    }

    @Test func lossesAreToldToAllOfThem() {
        let subject = Subject(of: Int.self)
        let recorders = [Recorder(subject), Recorder(subject)]
        subject.sendLoss(of: 2)
        subject.sendLoss(of: 3)
        #expect(recorders.map(\.lost) == [5, 5])
    }

    @Test func demandSaysWhetherTheSubjectHasEnded() {
        let subject = Subject(of: Int.self)
        #expect(subject.demand == .more)
        subject.complete()
        #expect(subject.demand == .stop)
    }

    @Test func manyJoinAndLeaveWhileOthersSend() {
        let subject = Subject(of: Int.self)
        let recorder = Recorder(subject)
        let group = Threads()
        for _ in 0..<2 {
            group.start { for value in 0..<2_000 { subject.send(value) } }
            group.start {
                var handles: [any Disposable] = []
                for index in 0..<500 {
                    handles.append(subject.subscribe(next: { _ in }))
                    if index % 3 == 0 { handles.removeFirst().dispose() }
                }
                for handle in handles { handle.dispose() }
            }
        }
        group.wait()
        #expect(recorder.violations == [])
        #expect(recorder.values.count == 4_000)
    }
}
