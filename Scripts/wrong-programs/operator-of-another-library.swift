// error: 'concatMap' is unavailable: it is flatMap(.concat) here
import Bus
import Timers

func texts(_ entries: Entries, _ names: AnySignal<String, Never>) -> any Disposable {
    entries
        .filter { $0.priority <= 3 }
        .concatMap { _ in names }
        .subscribe(next: { print($0) })
}
