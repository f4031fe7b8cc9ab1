import Synchronization

/// Makes a call when the last holder releases it: each holds it until it is called back, or has left.
final class LastCall: Sendable {
    private let call: @Sendable () -> Void
    private let isForgone = Atomic<Bool>(false)

    init(_ call: @escaping @Sendable () -> Void) {
        self.call = call
    }

    deinit {
        if !isForgone.load(ordering: .acquiring) { call() }
    }

    /// Cancels the call.
    func forgo() { isForgone.store(true, ordering: .releasing) }
}
