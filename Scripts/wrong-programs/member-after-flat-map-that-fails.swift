// error: value of type 'Entry' has no member 'name'
import Bus
import Timers

func names(_ entries: Entries, _ readings: Readings) -> any Disposable {
    entries
        .flatMap { _ in readings }
        .map { $0.name }
        .subscribe(next: { print($0) }, failed: { print($0) })
}
