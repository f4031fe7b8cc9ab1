// error: mutation of captured var 'count' in concurrently-executing code
import Bus
import Timers

func counted(_ entries: Entries) -> any Disposable {
    var count = 0
    return entries
        .filter { $0.priority <= 3 }
        .map { entry in
            count += 1
            return "\(count) \(entry.text)"
        }
        .subscribe(next: { print($0) })
}
