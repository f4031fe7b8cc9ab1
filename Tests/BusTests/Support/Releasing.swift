import Bus
import BusTesting

extension PausingRecorder {
    /// Releases `step` values at a time while its signal waits for that. Calls `between` before each check.
    func play(_ step: Int, between: () -> Void = {}) {
        between()
        while isAwaited {
            release(step)
            between()
        }
    }
}

extension Array where Element == Int {
    /// The values from the source with that number; see `PausedChain`.
    func from(_ source: Int) -> [Int] { filter { $0 / 10_000 == source }.map { $0 % 10_000 } }
}
