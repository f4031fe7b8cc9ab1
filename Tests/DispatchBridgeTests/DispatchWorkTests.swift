import Bus
import BusTesting
import Dispatch
import DispatchBridge
import TestSupport
import Testing

@Suite("Groups and work items of Dispatch as signals")
struct DispatchWorkTests {
    private let queue = DispatchQueue(label: "work")

    @Test("a group is heard when the last member has left")
    func groups() {
        let group = DispatchGroup()
        let empty = Recorder(group.emptied(on: queue))
        empty.waitForEnd()
        #expect(empty.values.count == 1)
        group.enter()
        group.enter()
        let recorder = Recorder(group.emptied(on: queue))
        let disposed = Recorder(group.emptied(on: queue))
        disposed.dispose()
        group.leave()
        queue.sync {}
        #expect(recorder.events.isEmpty)
        group.leave()
        recorder.waitForEnd()
        queue.sync {}
        #expect(recorder.values.count == 1 && recorder.violations == [] && disposed.events.isEmpty)
    }

    @Test("subscriptions are members of a group while they last")
    func members() {
        let group = DispatchGroup()
        let source = Subject(of: Int.self)
        let ended = Recorder(source.entering(group).take(first: 1))
        let disposed = Recorder(source.entering(group))
        source.send(1)
        #expect(ended.hasEnded)
        #expect(group.wait(timeout: .now()) == .timedOut)
        disposed.dispose()
        #expect(group.wait(timeout: .now()) == .success)
        #expect(ContractCheck("entering") { $0[0].entering(group) }.violations() == [])
        #expect(group.wait(timeout: .now()) == .success)
    }

    @Test("work runs on its queue, and gives its value or its error")
    func work() {
        let queue = queue
        // From here on the queue recognizes itself.
        queue.schedule {}
        let value = Recorder(
            Signals.dispatchWork(on: queue, qos: .utility, flags: .barrier) { queue.isCurrent ? 42 : 0 }
        )
        value.waitForEnd()
        #expect(value.events == [.next(42), .completed])
        let failing = Recorder(Signals.dispatchWork(on: queue) { () throws(TestFailure) -> Int in throw "no" })
        failing.waitForEnd()
        #expect(failing.events == [.failed("no")])
    }

    @Test("work that is cancelled before it begins never runs, and is released at once")
    func cancelledWork() {
        let (queue, ran) = (queue, Heard<Int>())
        weak var canary: Canary?
        queue.sync {
            let bird = Canary()
            canary = bird
            let signal = Signals.dispatchWork(on: queue) { () -> Int in
                bird.sing()
                ran.append(1)
                return 1
            }
            let recorder = Recorder(signal)
            recorder.dispose()
        }
        #expect(canary == nil)
        queue.sync {}
        #expect(ran.values.isEmpty)
    }

    @Test("a caller's work item is heard when it has run or was skipped")
    func items() {
        let ran = Heard<Int>()
        for isCancelled in [false, true] {
            let item = DispatchWorkItem { ran.append(1) }
            let recorder = Recorder(item.finished(on: queue))
            if isCancelled { item.cancel() }
            #expect(recorder.events.isEmpty)
            queue.async(execute: item)
            recorder.waitForEnd()
            #expect(recorder.values.count == 1 && item.isCancelled == isCancelled)
        }
        #expect(ran.values == [1])
    }

    @Test("a queue is current where its work runs, including through queues that target it")
    func targeting() {
        let below = DispatchQueue(label: "below")
        let above = DispatchQueue(label: "above", target: below)
        let top = DispatchQueue(label: "top", target: above)
        let found = Heard<[Bool]>()
        let done = Latch()
        for queue in [below, above, top] {
            queue.schedule { found.append([below.isCurrent, above.isCurrent, top.isCurrent]) }
        }
        top.schedule { done.open() }
        done.wait()
        #expect(found.values == [[true, false, false], [true, true, false], [true, true, true]])
    }
}
