import Synchronization

/// The subscriptions that a program holds at this moment: made with closures or walked as a sequence, and neither ended
/// nor disposed of.
///
/// A daemon whose number of subscriptions grows has forgotten to end some. Counting costs two additions a subscription;
/// listing them costs more and is done in debug builds only.
public enum Subscriptions {
    /// How many there are.
    public static var count: Int { registry.live.load(ordering: .relaxed) }

    /// What each of them is and where it was made, in the order in which they were made. Empty in a release build.
    public static var list: [Description] { registry.descriptions }

    /// How many values were missing in subscriptions that have no `lost` closure, since the program began.
    ///
    /// A daemon that reports this number to its metrics notices losses that no code handles.
    public static var unheardLosses: Int { registry.unheardLosses.load(ordering: .relaxed) }

    /// The default of every `lost` closure.
    @usableFromInline
    @Sendable
    package static func countUnheardLoss(_ count: Int) {
        registry.unheardLosses.wrappingAdd(count, ordering: .relaxed)
    }

    /// One live subscription.
    public struct Description: Sendable, Hashable, CustomStringConvertible {
        /// What it subscribed to.
        public let chain: Chain
        /// Where it subscribed.
        public let location: Chain.Location

        public var description: String { "\(chain) (\(location))" }
    }

    static let registry = Registry()

    final class Registry: Sendable {
        let live = Atomic<Int>(0)
        let unheardLosses = Atomic<Int>(0)
        private let listed = Lock((entries: [UInt64: Description](), next: UInt64(1)))

        var descriptions: [Description] {
            listed.withLock { $0.entries }.sorted { $0.key < $1.key }.map(\.value)
        }

        func add(_ description: Description) -> UInt64 {
            listed.withLock { listed in
                defer { listed.next += 1 }
                listed.entries[listed.next] = description
                return listed.next
            }
        }

        func remove(_ key: UInt64) {
            _ = listed.withLock { $0.entries.removeValue(forKey: key) }
        }
    }
}

/// Counts one subscription for as long as it is held, which is as long as its observer.
@frozen
@usableFromInline
package struct SubscriptionLease: ~Copyable, Sendable {
    /// The number under which it is listed; zero when it is not.
    private let key: UInt64

    /// Whether the program that subscribes is built for debugging.
    @inlinable static var lists: Bool { _isDebugAssertConfiguration() }

    // Inlined, so that in a program built for release the signal need not be kept in memory for the sake of a
    // description that nobody wants: that alone would keep the optimiser from seeing through a chain.
    @inlinable
    @inline(__always)
    package init(_ chain: @autoclosure () -> Chain, fileID: StaticString, line: UInt) {
        if Self.lists {
            self.init(listing: chain(), fileID: fileID, line: line)
        } else {
            self.init(key: 0)
        }
    }

    @usableFromInline
    init(key: UInt64) {
        self.key = key
        Subscriptions.registry.live.wrappingAdd(1, ordering: .relaxed)
    }

    // The description is made already: keeping the signal to describe it later would keep all it holds.
    @usableFromInline
    init(listing chain: Chain, fileID: StaticString, line: UInt) {
        let location = Chain.Location(fileID: "\(fileID)", line: line)
        self.init(key: Subscriptions.registry.add(Subscriptions.Description(chain: chain, location: location)))
    }

    deinit {
        Subscriptions.registry.live.wrappingSubtract(1, ordering: .relaxed)
        if key != 0 { Subscriptions.registry.remove(key) }
    }
}
