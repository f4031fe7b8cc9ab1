// error: instance method 'groupBy(limit:overflow:_:)' requires that 'Plain' conform to 'Hashable'
import Bus
import Timers

func perUnit(_ entries: Entries) -> any Disposable {
    entries
        .groupBy { _ in Plain() }
        .flatMap(.merge) { group in group.map { $0.text } }
        .subscribe(next: { print($0) })
}
