package import Bus

/// The blocking side of a library: it opens, reads, and sends until the end or until nothing more is wanted. All of
/// that happens on one thread of its own. ``BlockingReaderSignal`` makes a signal of it.
///
/// ```
/// func deliver<Downstream: Observer & ~Copyable>(
///     to output: BlockingReaderOutput<Downstream>
/// ) throws(LibraryError) where Downstream.Value == Value, Downstream.Failure == LibraryError {
///     let library = try Library(path)
///     guard output.waitUntilReady() else { return }
///     while let value = try library.next(orUntilReadable: output.stopDescriptor) {
///         guard output.send(value) else { return }
///     }
/// }
/// ```
///
/// It keeps three promises. It sends from the thread on which it was called. It checks the results of `send(_:)` and
/// `waitUntilReady()`, and returns when one is false. Where it waits for the outside world, it also waits for the
/// output's `stopDescriptor`, so that disposal ends the wait at once. A call that cannot wait for a second descriptor
/// delays the end of the thread, and nothing else: no event follows the disposal.
package protocol BlockingReading: Sendable, SendableMetatype {
    associatedtype Value: Sendable
    associatedtype Failure: Error

    /// The name that `ps -L` shows for its threads; the first 15 bytes count.
    var threadName: String { get }

    /// Returns when there is nothing more to read or `output` is no longer open. By then it has closed everything
    /// that it opened. An error is the signal's failure, unless nothing more was wanted.
    func deliver<Downstream: Observer & ~Copyable>(
        to output: BlockingReaderOutput<Downstream>
    ) throws(Failure) where Downstream.Value == Value, Downstream.Failure == Failure

    /// The failure for a reader that could not be started.
    func failure(_ error: BlockingReaderError) -> Failure
}

/// The system has no thread or no descriptor for a reader.
package struct BlockingReaderError: Error, Equatable {
    /// The operation that failed: "start a reader".
    package let operation: String
    /// The system's error number.
    package let code: CInt
}
