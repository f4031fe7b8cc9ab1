/// The object that a thread waits with, when it has more to wait for than work.
package protocol ThreadWaiter: AnyObject, Sendable {
    /// Handles ready descriptors and timers. Called on the thread, between two pieces of work.
    ///
    /// - Parameter mayWait: whether to wait when nothing is ready, until something is or ``wake()`` is called.
    func turn(mayWait: Bool)

    /// Ends a wait, this one or the next. From any thread, also when the thread has ended.
    func wake()

    /// The thread ends, and calls nothing any more.
    func end()
}
