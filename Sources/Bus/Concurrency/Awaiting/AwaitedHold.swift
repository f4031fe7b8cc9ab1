/// Says that nothing more will come when the observer that holds it is let go of: a task that waits for a source which was
/// dropped without an end must not wait for ever.
final class AwaitedHold: Sendable {
    private let letGo: @Sendable () -> Void

    init(_ letGo: @escaping @Sendable () -> Void) {
        self.letGo = letGo
    }

    deinit {
        letGo()
    }
}
