// error: value of type 'Entry' has no member 'name'
import Bus
import Timers

func names(_ readings: Readings) -> any Disposable {
    Signals.using({ 3 }, release: { print($0) }) { _ in readings }
        .map { $0.name }
        .subscribe(next: { print($0) }, failed: { print($0) })
}
