import Bus
import BusTesting

extension PausingRecorder {
    /// Releases it, `step` values at a time, as long as its signal waits for that; `between` is called before each look.
    func play(_ step: Int, between: () -> Void = {}) {
        between()
        while isAwaited {
            release(step)
            between()
        }
    }
}

extension Array where Element == Int {
    /// Those of the values that came from the source with that number, see `PausedChain`.
    func from(_ source: Int) -> [Int] { filter { $0 / 10_000 == source }.map { $0 % 10_000 } }
}
