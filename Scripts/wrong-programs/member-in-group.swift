// error: value of type 'Entry' has no member 'unti'
import Bus
import Timers

func perUnit(_ entries: Entries) -> any Disposable {
    entries
        .groupBy { $0.unti }
        .flatMap(.merge) { group in group.scan(0) { count, _ in count + 1 }.map { (group.key, $0) } }
        .subscribe(next: { print($0.0, $0.1) })
}
