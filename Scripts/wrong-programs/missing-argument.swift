// error: missing argument for parameter #1 in call
import Bus
import Timers

func sum(_ entries: Entries) -> any Disposable {
    entries
        .map { $0.priority }
        .scan { $0 + $1 }
        .filter { $0 > 3 }
        .subscribe(next: { print($0) })
}
