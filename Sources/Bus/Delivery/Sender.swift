/// The right to send into a ``SerialObserver``, shared by all senders.
///
/// When the last sender releases it, nothing can come any more, and the observers below are freed although no end was
/// heard. An object that all senders share anyway calls ``SerialObserver/abandon()`` from its own deinitialiser
/// instead.
@usableFromInline
package final class Sender<Downstream: Observer & ~Copyable>: Sendable {
    private let output: SerialObserver<Downstream>

    @usableFromInline
    package init(_ output: SerialObserver<Downstream>) {
        self.output = output
    }

    deinit {
        output.abandon()
    }
}
