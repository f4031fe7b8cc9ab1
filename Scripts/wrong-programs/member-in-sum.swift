// error: value of type 'Entry' has no member 'message'
import Bus
import Timers

func sums(_ entries: Entries) -> any Disposable {
    entries
        .filter { $0.priority <= 3 }
        .scan(0) { (sum: Int, entry: Entry) -> Int in sum + entry.message.count }
        .filter { $0 >= 3 }
        .map { $0 + 1 }
        .filter { $0 % 2 == 0 }
        .map { "\($0) bytes" }
        .subscribe(next: { print($0) })
}
