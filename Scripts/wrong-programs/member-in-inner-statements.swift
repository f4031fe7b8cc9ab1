// error: value of type 'Entry' has no member 'message'
import Bus
import Timers

func lengths(_ entries: Entries) -> any Disposable {
    entries
        .filter { $0.priority <= 3 }
        .flatMapLatest { entry -> AnySignal<Int, Never> in
            let length = entry.message.count
            return Signals.from(0..<length).eraseToAnySignal()
        }
        .filter { $0 >= 3 }
        .map { $0 + 1 }
        .filter { $0 % 2 == 0 }
        .subscribe(next: { print($0) })
}
