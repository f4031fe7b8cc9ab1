// error: value of type 'Timestamped<Entry>' has no member 'time'
import Bus
import Timers

func alarms(_ entries: Entries, _ rules: Rules, on time: TimerScheduler) -> any Disposable {
    entries
        .groupBy { $0.unit }
        .flatMap(.merge) { group in
            group
                .filter { $0.priority <= 3 }
                .timestamp(on: time)
                .scan(into: [TimerInstant]()) { window, error in
                    window.removeAll { error.time - $0 >= rules.within }
                    window.append(error.instant)
                }
        }
        .subscribe(next: { print($0) })
}
