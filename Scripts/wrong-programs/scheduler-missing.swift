// error: missing argument for parameter 'on' in call
import Bus
import Timers

func delayed(_ entries: Entries) -> any Disposable {
    entries
        .map { $0.priority }
        .deliver()
        .subscribe(next: { print($0) })
}
