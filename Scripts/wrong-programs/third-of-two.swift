// error: value of tuple type '(Entry, String)' has no member '2'
import Bus
import Timers

func pairs(_ entries: Entries, _ names: AnySignal<String, Never>) -> any Disposable {
    entries
        .combineLatest(names)
        .map { "\($0.0.text) \($0.2)" }
        .filter { !$0.isEmpty }
        .subscribe(next: { print($0) })
}
