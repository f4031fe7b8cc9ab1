// error: cannot convert value of type 'TimerInstant' to expected argument type 'TimerInstant.Duration'
import Bus
import Timers

func ends(_ entries: Entries, on time: TimerScheduler) -> any Disposable {
    entries
        .timestamp(on: time)
        .pairwise()
        .map { $0.0.instant + $0.1.instant }
        .subscribe(next: { print($0) })
}
