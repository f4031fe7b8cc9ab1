// error: type '()' cannot conform to 'Signal'
import Bus
import Timers

func stamped(_ entries: Entries, on time: TimerScheduler) -> any Disposable {
    entries
        .groupBy { $0.unit }
        .flatMap(.merge) { unit in
            let stamped = unit.timestamp(on: time).map { "\(unit.key) \($0.instant)" }
            print(stamped)
        }
        .map { "\($0)\n" }
        .subscribe(next: { print($0) })
}
