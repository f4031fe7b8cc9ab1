import Bus
import Timers

struct Alarm: Sendable {
    var unit: String
    var count: Int
    var first: TimerInstant
}

func alarms(_ entries: Entries, _ rules: Rules, on time: TimerScheduler) -> any Disposable {
    @Sendable func alarms(of unit: GroupedSignal<String, Entry, Never>) -> some Signal<Alarm, Never> {
        unit
            .timestamp(on: time)
            .scan(into: []) { (window: inout [TimerInstant], error) in
                window.removeAll { error.instant - $0 >= rules.within }
                window.append(error.instant)
            }
            .filter { $0.count >= rules.count }
            .map { Alarm(unit: unit.key, count: $0.count, first: $0[0]) }
    }
    return
        entries
        .filter { $0.priority <= 3 }
        .groupBy { $0.unit }
        .flatMap(.merge) { alarms(of: $0) }
        .map { "\($0.unit): \($0.count) errors" }
        .subscribe(next: { print($0) })
}
