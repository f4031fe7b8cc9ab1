// error: no exact matches in call to instance method 'take'
import Bus
import Timers

func some(_ entries: Entries) -> any Disposable {
    entries
        .map { $0.priority }
        .take(firsts: 3)
        .scan(0) { $0 + $1 }
        .subscribe(next: { print($0) })
}
