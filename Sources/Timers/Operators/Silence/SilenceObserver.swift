public import Bus
public import Synchronization

/// Notes when values come.
@frozen
@usableFromInline
struct SilenceObserver<UpstreamFailure: Error, Downstream: Observer & ~Copyable, Time: TimedScheduler>:
    Observer, ~Copyable
{
    @usableFromInline typealias Value = Downstream.Value
    @usableFromInline typealias Failure = UpstreamFailure
    @usableFromInline let timer: SilenceTimer<Downstream, Time>
    // The timer has them, and they are held here too: reaching them through the timer would count references at every
    // value, 20 ns each.
    @usableFromInline let output: SerialObserver<Downstream>
    @usableFromInline let scheduler: Time
    @usableFromInline let mode: TimeoutMode
    @usableFromInline let convert: @Sendable (UpstreamFailure) -> Downstream.Failure
    @usableFromInline var isFirst = true

    @inlinable
    init(
        _ timer: SilenceTimer<Downstream, Time>,
        _ convert: @escaping @Sendable (UpstreamFailure) -> Downstream.Failure
    ) {
        self.timer = timer
        output = timer.output
        scheduler = timer.scheduler
        mode = timer.mode
        self.convert = convert
    }

    @inlinable
    mutating func next(_ value: Value) -> Demand {
        switch mode {
        case .between: timer.heard.store(scheduler.now.nanoseconds, ordering: .relaxed)
        case .first where isFirst: endFirst()
        case .first, .total: break
        }
        let demand = output.next(value)
        if demand == .pause { timer.pause() }
        return demand
    }

    @inlinable
    mutating func lost(_ count: Int) { output.lost(count) }

    @usableFromInline
    mutating func endFirst() {
        isFirst = false
        timer.end()
    }

    @inlinable
    consuming func terminate(_ termination: Termination<UpstreamFailure>) {
        // The end may have to wait behind values for which there is no room.
        timer.end()
        switch termination {
        case .completed: output.terminate(.completed)
        case .failed(let failure): output.terminate(.failed(convert(failure)))
        }
    }

    @inlinable
    var demand: Demand { output.demand }

    @inlinable
    mutating func whenReady(_ resume: @escaping @Sendable () -> Void) -> Demand { output.whenReady(resume) }
}
