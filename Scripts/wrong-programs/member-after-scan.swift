// error: value of type '[TimerInstant]' has no member 'length'
import Bus
import Timers

func windows(_ entries: Entries, _ rules: Rules, on time: TimerScheduler) -> any Disposable {
    entries
        .timestamp(on: time)
        .scan(into: [TimerInstant]()) { window, entry in
            window.removeAll { entry.instant - $0 >= rules.within }
            window.append(entry.instant)
        }
        .filter { $0.length >= rules.count }
        .subscribe(next: { print($0) })
}
