import Bus
import Timers

extension Signal {
    /// This signal under a name of its own in a `Chain`.
    func described(as name: String) -> some Signal<Value, Failure> {
        DescribedSignal(self) { Chain(source: name) }
    }
}
