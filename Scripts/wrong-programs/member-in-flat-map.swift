// error: value of type 'Entry' has no member 'name'
import Bus
import Timers

func units(_ entries: Entries, _ names: AnySignal<String, Never>) -> any Disposable {
    entries
        .flatMapLatest { entry in names.filter { $0 == entry.name } }
        .map { $0.count }
        .subscribe(next: { print($0) })
}
