/// Reports, when the observer that holds it is released, that nothing more will come: a task must not wait for ever
/// for a source that was dropped without an end.
final class AwaitedHold: Sendable {
    private let letGo: @Sendable () -> Void

    init(_ letGo: @escaping @Sendable () -> Void) {
        self.letGo = letGo
    }

    deinit {
        letGo()
    }
}
