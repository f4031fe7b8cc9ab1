/// The subscribers of one bus, without those of its children, in the order in which they came.
final class SubscriberRegistry: Sendable {
    private let state = Lock((accounts: [UInt64: SubscriberAccount](), next: UInt64(1)))

    /// Lists a subscriber; returns the number that removes it from the list.
    func add(_ account: SubscriberAccount) -> UInt64 {
        state.withLock { state in
            defer { state.next += 1 }
            state.accounts[state.next] = account
            return state.next
        }
    }

    func remove(_ number: UInt64) {
        let removed = state.withLock { $0.accounts.removeValue(forKey: number) }
        // Released here, not under the lock: it may hold the last reference to values that waited.
        withExtendedLifetime(removed) {}
    }

    func removeAll() {
        let removed = state.withLock { state in
            defer { state.accounts = [:] }
            return state.accounts
        }
        withExtendedLifetime(removed) {}
    }

    var accounts: [SubscriberAccount] {
        // An array of its own, because the dictionary is changed in place.
        state.withLock { Array($0.accounts) }.sorted { $0.key < $1.key }.map(\.value)
    }
}
