import Synchronization

/// Something that hears when nobody can send to it any more.
@usableFromInline
package protocol Abandonable: Sendable {
    func abandon()
}

/// The right to send into something, shared by all senders.
///
/// When the last sender releases it, nothing can come any more, and what is below is freed although no end was heard. An object
/// that all senders share anyway calls `abandon()` from its own deinitialiser instead.
@usableFromInline
package final class DropGuard<Target: Abandonable>: Sendable {
    private let target: Target

    @usableFromInline
    package init(_ target: Target) {
        self.target = target
    }

    deinit {
        target.abandon()
    }
}

/// The right to send into a ``SerialObserver``.
@usableFromInline
package typealias Sender<Downstream: Observer & ~Copyable> = DropGuard<SerialObserver<Downstream>>

extension SerialObserver: Abandonable where Downstream: ~Copyable {}

/// Makes a call when the last holder releases it: each holds it until it is called back, or has left.
package final class LastCall: Sendable {
    private let call: @Sendable () -> Void
    private let isForgone = Atomic<Bool>(false)

    package init(_ call: @escaping @Sendable () -> Void) {
        self.call = call
    }

    deinit {
        if !isForgone.load(ordering: .acquiring) { call() }
    }

    /// Cancels the call.
    func forgo() { isForgone.store(true, ordering: .releasing) }
}
