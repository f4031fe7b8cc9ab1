// error: cannot convert value of type 'Int' to expected argument type 'Duration'
import Bus
import Timers

func calm(_ entries: Entries, on time: TimerScheduler) -> any Disposable {
    entries
        .map { $0.priority + 1 }
        .debounce(5, on: time)
        .filter { $0 > 3 }
        .subscribe(next: { print($0) })
}
