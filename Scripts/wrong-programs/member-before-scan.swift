// error: value of type 'Entry' has no member 'message'
import Bus
import Timers

func total(_ entries: Entries) -> any Disposable {
    entries
        .map { $0.message.count }
        .scan(0) { $0 + $1 }
        .subscribe(next: { print($0) })
}
