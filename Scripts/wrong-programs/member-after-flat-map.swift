// error: value of type 'Entry' has no member 'name'
import Bus
import Timers

func names(_ entries: Entries, _ more: Entries) -> any Disposable {
    entries
        .flatMap { _ in more }
        .map { "\($0.name)" }
        .subscribe(next: { print($0) })
}
