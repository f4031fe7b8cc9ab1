/// For a subscriber of a bus behind the hop. It is not done before it has heard the end.
extension DeliverOnSubscription where Downstream: ~Copyable {
    /// Reports how many values wait here for the subscriber.
    func waits(_ listener: Listener) {
        listener.waits { [state, line] in state.withLock { $0.taken } + line.waiting }
    }

    /// Delivers the end.
    func endListening(_ deliver: () -> Void) {
        let listener = state.withLock { $0.listener.take() }
        if let listener { listener.end(deliver) } else { deliver() }
    }

    /// The subscriber will not hear the end.
    func dropListener() {
        let listener = state.withLock { $0.listener.take() }
        // Released here, not under the lock.
        withExtendedLifetime(listener) {}
    }
}
