public import Bus
import Timers

/// A cold source in virtual time: every subscription hears the same events, counted from its own start.
///
/// Events that are due at the start come during `subscribe`, as from `Signals.just`; the rest comes from the
/// scheduler. When a script without an end is over the source is silent, and not gone: it holds its subscribers until
/// it is itself dropped.
///
/// It sends at the times of its script, so it goes on while an observer pauses: at most 1,024 values then wait, and
/// more are lost and counted.
public final class ColdSource<Value: Sendable, Failure: Error>: Signal {
    private let time: TestScheduler
    private let script: [Recorded<Value, Failure>]
    private let log: SubscriptionLog
    private let runs = Lock<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// - Parameters:
    ///   - script: the events that each subscription hears, in order, with times that count from its start.
    ///   - time: the scheduler that delivers them.
    public init(_ script: [Recorded<Value, Failure>], on time: TestScheduler) {
        self.time = time
        self.script = script
        log = SubscriptionLog(time)
    }

    /// How many subscriptions there were.
    public var subscriptions: Int { log.windows.count }

    /// How many subscriptions have neither ended nor been disposed of.
    public var liveSubscriptions: Int { log.live }

    /// When each subscription began and ended, in the order in which they began.
    public var windows: [SubscriptionWindow] { log.windows }

    public func subscribe<Downstream: Observer & ~Copyable>(
        _ observer: consuming Downstream
    ) -> any Disposable where Downstream.Value == Value, Downstream.Failure == Failure {
        let run = ColdRun(SerialObserver(observer))
        run.output.resources.add(log.enter())
        let key = ObjectIdentifier(run)
        runs.withLock { $0[key] = run }
        run.output.resources.add(
            ActionDisposable { [runs] in
                // Released outside the lock, because its chain may run any code.
                _ = runs.withLock { $0.removeValue(forKey: key) }
            }
        )
        let start = time.now
        let moments = script.chunkedByTime()
        // Before anything is sent, so that work caused by the first events is scheduled after this.
        for moment in moments where moment.time.nanoseconds > 0 {
            let timer = time.schedule(at: start.advanced(byNanoseconds: moment.time.nanoseconds)) {
                run.send(moment.events)
            }
            run.output.resources.add(ActionDisposable { timer.cancel() })
        }
        for moment in moments where moment.time.nanoseconds <= 0 && !run.output.isClosing {
            run.send(moment.events)
        }
        return run.output.handle
    }

    public var chain: Chain { Chain(source: "cold(\(script.marbles()))") }
}

/// One run of the script. Kept by its timers.
private final class ColdRun<Downstream: Observer & ~Copyable>: Sendable {
    let output: SerialObserver<Downstream>

    init(_ output: SerialObserver<Downstream>) {
        self.output = output
    }

    deinit {
        output.abandon()
    }

    func send(_ events: [Event<Downstream.Value, Downstream.Failure>]) {
        for event in events {
            switch event {
            case .next(let value):
                if output.next(value) == .stop { return output.terminate(.completed) }
            case .completed: output.terminate(.completed)
            case .failed(let failure): output.terminate(.failed(failure))
            }
        }
    }
}

extension Array {
    /// The events that happen at one time, together.
    func chunkedByTime<Value, Failure>() -> [(time: TimerInstant, events: [Event<Value, Failure>])]
    where Element == Recorded<Value, Failure> {
        reduce(into: []) { moments, recorded in
            if moments.last?.time == recorded.time {
                moments[moments.count - 1].events.append(recorded.event)
            } else {
                moments.append((recorded.time, [recorded.event]))
            }
        }
    }
}
