/// The right to send into a ``SerialObserver``, shared by all who do.
///
/// When the last of them lets go of it, nothing can come any more, and what is below is freed though no end was heard.
/// An object that all senders share anyway calls ``SerialObserver/abandon()`` from its own deinitialiser instead.
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
