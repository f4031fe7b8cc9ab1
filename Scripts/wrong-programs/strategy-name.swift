// error: type 'FlattenStrategy' has no member 'merged'
import Bus
import Timers

func joined(_ entries: Entries, _ names: AnySignal<String, Never>) -> any Disposable {
    entries
        .flatMap(.merged) { _ in names }
        .map { $0.count }
        .subscribe(next: { print($0) })
}
