// error: value of type 'Entry' has no member 'name'
import Bus
import Timers

func names(_ entries: Entries) -> any Disposable {
    Signals.deferred { entries }
        .map { $0.name }
        .subscribe(next: { print($0) })
}
