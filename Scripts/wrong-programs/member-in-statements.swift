// error: value of type 'Entry' has no member 'message'
import Bus
import Timers

func lengths(_ entries: Entries) -> any Disposable {
    entries
        .filter { $0.priority <= 3 }
        .map { entry -> Int in
            let length = entry.message.count
            return length * 2
        }
        .filter { $0 >= 3 }
        .map { $0 + 1 }
        .filter { $0 % 2 == 0 }
        .subscribe(next: { print($0) })
}
