import Bus
import BusTesting
import Dispatch
import DispatchBridge
import TestSupport
import Testing

@Suite("Dispatch queues as schedulers")
struct DispatchQueueTests {
    @Test("everything arrives in order, one at a time, on the queue", arguments: [false, true])
    func order(isConcurrent: Bool) throws {
        let queue = DispatchQueue(label: "test", attributes: isConcurrent ? .concurrent : [])
        let count = Stress.rounds(10_000, stress: 100_000)
        let elsewhere = Lock(0)
        let made = Lock<Recorder<Int, Never>?>(nil)
        let subscribed = Latch()
        // `from` sends while it is subscribed to and has to wait for room, which a task must not do.
        try PinnedThread.start(name: "test") {
            let recorder = Recorder(Signals.from(0..<count).deliver(on: queue, limit: 64)) { _ in
                if !queue.isCurrent { elsewhere.withLock { $0 += 1 } }
                return .more
            }
            made.withLock { $0 = recorder }
            subscribed.open()
        }
        subscribed.wait()
        let recorder = try #require(made.withLock { $0 })
        recorder.waitForEnd()
        let isInOrder = recorder.values.elementsEqual(0..<count)
        #expect(isInOrder)
        #expect(recorder.violations == [])
        #expect(elsewhere.withLock { $0 } == 0)
    }

    @Test("a hop to a queue keeps the delivery contract")
    func contract() {
        let queue = DispatchQueue(label: "test")
        let settle: @Sendable () -> Void = { for _ in 0..<3 { queue.sync {} } }
        let check = ContractCheck("deliver(on: DispatchQueue)", settle: settle) { $0[0].deliver(on: queue) }
        #expect(check.violations() == [])
    }

    @Test("a queue is current in its own work and in that of queues that target it, and nowhere else")
    func isCurrent() {
        let queue = DispatchQueue(label: "test")
        let other = DispatchQueue(label: "other")
        let targeting = DispatchQueue(label: "targeting", target: queue)
        #expect(!queue.isCurrent)
        let found = Lock<[Bool]>([])
        let done = Latch()
        queue.schedule {
            let here = [queue.isCurrent, other.isCurrent]
            found.withLock { $0 += here }
            other.schedule {
                let there = [queue.isCurrent, other.isCurrent]
                found.withLock { $0 += there }
                targeting.async {
                    let targeted = [queue.isCurrent]
                    found.withLock { $0 += targeted }
                    done.open()
                }
            }
        }
        done.wait()
        #expect(found.withLock { $0 } == [true, false, false, true, true])
        #expect(!queue.isCurrent && !other.isCurrent)
    }

    @Test("work runs in the order in which it was submitted")
    func workOrder() {
        let queue = DispatchQueue(label: "test")
        let ran = Lock<[Int]>([])
        for number in 0..<1000 { queue.schedule { ran.withLock { $0.append(number) } } }
        queue.sync {}
        let isInOrder = ran.withLock { $0 } == Array(0..<1000)
        #expect(isInOrder)
    }
}
