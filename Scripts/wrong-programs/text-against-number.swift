// error: cannot convert value of type 'String' to expected argument type 'Int'
import Bus
import Timers

func urgent(_ entries: Entries) -> any Disposable {
    entries
        .filter { $0.priority <= "3" }
        .map { $0.text }
        .subscribe(next: { print($0) })
}
