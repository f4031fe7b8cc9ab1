// error: requires that 'String' conform to 'Signal'
import Bus
import Timers

func joined(_ entries: Entries) -> any Disposable {
    entries
        .filter { $0.priority <= 3 }
        .flatMap(.concat) { entry in entry.text }
        .subscribe(next: { print($0) })
}
