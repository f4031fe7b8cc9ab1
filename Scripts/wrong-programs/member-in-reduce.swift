// error: value of type 'Entry' has no member 'name'
import Bus
import Timers

func most(_ entries: Entries) -> any Disposable {
    entries
        .filter { $0.priority <= 3 }
        .reduce(into: [:]) { (counts: inout [String: Int], entry) in
            let unit = entry.name
            counts[unit, default: 0] += 1
        }
        .filter { $0.count >= 3 }
        .map { $0.values.max() ?? 0 }
        .filter { $0 % 2 == 0 }
        .subscribe(next: { print($0) })
}
