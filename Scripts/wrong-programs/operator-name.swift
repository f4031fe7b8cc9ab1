// error: has no member 'compactMapp'
import Bus
import Timers

func texts(_ entries: Entries) -> any Disposable {
    entries
        .filter { $0.priority <= 3 }
        .compactMapp { $0.text.isEmpty ? nil : $0.text }
        .map { $0.count }
        .subscribe(next: { print($0) })
}
