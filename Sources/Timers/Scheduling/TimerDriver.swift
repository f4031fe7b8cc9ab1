import Bus
import CLinux
import Loop
import Synchronization

/// Timer wheels on one clock, a wheel for every few threads, and one alarm for them all.
///
/// It runs nothing: when a timer is due, it reports that once, on the event loop's thread, and is asked with
/// ``takeDue(at:)`` until nothing is left. With nothing scheduled nothing is armed, and no thread wakes.
///
/// A deadline later than the armed one costs no system call, and neither does cancelling: if the alarm was armed for
/// a timer that was then cancelled, there is one wake-up in vain.
final class TimerDriver: Sendable {
    private static var shardCount: Int { 16 }

    private let alarm: TimerAlarm
    /// The alarm's descriptor and its loop's thread are the process's.
    private let mark = ForkMark()
    /// Retained in `init` and released in `deinit`, so the objects are alive in between. Counting references to them
    /// at every call would cost as much as the wheel does.
    private let shards: InlineArray<16, Unmanaged<TimerShard>>

    init(_ device: any TimerDevice, loop: EventLoop) {
        let alarm = TimerAlarm(device, loop: loop)
        self.alarm = alarm
        let now = device.now
        shards = InlineArray { number in
            Unmanaged.passRetained(TimerShard(startingAt: now, alarm, bit: 1 &<< UInt64(number)))
        }
    }

    deinit {
        for number in shards.indices { shards[number].release() }
    }

    /// The end: releases all timers, also those that are due, and the descriptor. Called once; nothing is scheduled after
    /// that.
    func close() {
        alarm.stop()
        for number in shards.indices { shards[number]._withUnsafeGuaranteedRef { $0.removeAll() } }
    }

    /// See ``TimerAlarm/start(_:)``.
    func start(_ callbacks: TimerAlarm.Callbacks) throws(EventLoopError) { try alarm.start(callbacks) }

    var now: Int64 { alarm.now }

    var canBeSet: Bool { alarm.canBeSet }

    var count: Int {
        var count = 0
        for number in shards.indices { count += shards[number]._withUnsafeGuaranteedRef { $0.count } }
        return count
    }

    func schedule(at deadline: Int64, _ work: TimerWork) -> TimerHandle {
        mark.check("a timer scheduler")
        let number = Int(clinux_thread_number()) & (Self.shardCount - 1)
        return shards[number]._withUnsafeGuaranteedRef { $0.schedule(at: deadline, work) }
    }

    // MARK: Due timers

    /// The next work that is due at `time`; by deadline, and among those of one thread with the same deadline in the
    /// order of scheduling. Nil when there is none: then the alarm will report when there is. One caller at a time.
    func takeDue(at time: Int64) -> TimerWork? {
        let filled = alarm.filledShards.load(ordering: .sequentiallyConsistent)
        // Usually only one thread has timers: then there is nothing to compare, so they are found and taken in one
        // step.
        if filled != 0, filled & (filled &- 1) == 0 {
            if let work = shards[filled.trailingZeroBitCount]._withUnsafeGuaranteedRef({ $0.popExpired(at: time) }) {
                return work
            }
            armForNext()
            return nil
        }
        while true {
            var earliest: (due: TimerWheel<TimerWork>.Due, shard: TimerShard)?
            forEachFilled { shard in
                guard let due = shard.nextExpired(at: time) else { return }
                if let earliest, earliest.due.deadline <= due.deadline { return }
                earliest = (due, shard)
            }
            guard let earliest else {
                armForNext()
                return nil
            }
            // Nil when it was cancelled or put off since.
            if let work = earliest.shard.take(earliest.due) { return work }
        }
    }

    private func armForNext() {
        alarm.armForNext {
            var next: Int64?
            forEachFilled { shard in
                if let deadline = shard.nextDeadline() { next = min(next ?? .max, deadline) }
            }
            return next
        }
    }

    @inline(__always)
    private func forEachFilled(_ body: (TimerShard) -> Void) {
        var left = alarm.filledShards.load(ordering: .sequentiallyConsistent)
        while left != 0 {
            shards[left.trailingZeroBitCount]._withUnsafeGuaranteedRef(body)
            left &= left &- 1
        }
    }
}
