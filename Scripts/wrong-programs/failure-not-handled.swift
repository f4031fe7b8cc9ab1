// error: this signal can fail: add a `failed` closure
import Bus
import Timers

func all(_ readings: Readings) -> any Disposable {
    readings
        .filter { $0.priority <= 3 }
        .map { $0.text }
        .subscribe(next: { print($0) })
}
