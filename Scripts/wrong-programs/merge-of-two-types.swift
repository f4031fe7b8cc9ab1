// error: instance method 'merge' requires the types 'Entry' and 'String' be equivalent
import Bus
import Timers

func both(_ entries: Entries, _ names: AnySignal<String, Never>) -> any Disposable {
    entries
        .filter { $0.priority <= 3 }
        .merge(names)
        .subscribe(next: { print($0) })
}
