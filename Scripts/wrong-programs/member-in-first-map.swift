// error: value of type 'Entry' has no member 'message'
import Bus
import Timers

func even(_ entries: Entries) -> any Disposable {
    entries
        .map { $0.message.count }
        .filter { $0 % 2 == 0 }
        .subscribe(next: { print($0) })
}
