// error: value of type 'Timestamped<Entry>' has no member 'time'
import Bus
import Timers

func bursts(_ entries: Entries, on time: TimerScheduler) -> any Disposable {
    entries
        .timestamp(on: time)
        .pairwise()
        .map { $0.1.instant - $0.0.time }
        .filter { $0 < .seconds(1) }
        .subscribe(next: { print($0) })
}
