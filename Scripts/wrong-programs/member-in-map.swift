// error: value of type 'Entry' has no member 'message'
import Bus
import Timers

func lengths(_ entries: Entries) -> any Disposable {
    entries
        .filter { $0.priority <= 3 }
        .map { $0.message.count }
        .scan(0) { $0 + $1 }
        .filter { $0 % 2 == 0 }
        .subscribe(next: { print($0) })
}
