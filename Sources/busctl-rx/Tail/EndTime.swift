import Bus
import Timers

extension AnySignal {
    /// How long after the last wanted time an entry of it is waited for: journald writes it when it comes to it.
    private static var patience: Duration { .seconds(1) }

    /// The same until a time has come.
    ///
    /// - Parameter until: in microseconds since 1970; `nil` for one that ends by itself.
    func ending(after until: Int64?) -> AnySignal<Value, Failure> {
        guard let until else { return self }
        let end = TimerInstant(nanoseconds: until &* 1000).advanced(by: Self.patience)
        return take(until: Signals.timer(at: end, on: WallScheduler.shared)).eraseToAnySignal()
    }
}
