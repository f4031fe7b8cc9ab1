import Synchronization

/// The subscriptions that a program holds at this moment: made with closures or walked as a sequence, and neither ended nor
/// disposed of.
///
/// A daemon whose number of subscriptions grows has forgotten to end some. Counting costs two additions a subscription.
/// Listing costs more: a debug build always does it, a release build from ``startListing()`` on.
public enum Subscriptions {
    /// How many there are.
    public static var count: Int { registry.live.load(ordering: .relaxed) }

    /// A description of each and the place where it was made, in the order in which they were made.
    ///
    /// In a release build it holds the subscriptions made after ``startListing()``.
    public static var list: [Description] { registry.descriptions }

    /// Makes a release build list the subscriptions made from now on. A debug build lists them anyway.
    ///
    /// A daemon calls it once, when it starts. It cannot be taken back.
    ///
    /// A release build keeps no signal to describe it. It asks the signal's type for the chain when the list is read:
    /// `[sequence<Array>] map → filter`. Names, limits and other arguments are not in it.
    ///
    /// Each subscription then costs about 80 ns and 100 bytes more. Before that, subscribing only reads a flag, and in both cases an event
    /// passes a chain of operators at the same speed.
    public static func startListing() { registry.isListing.store(true, ordering: .relaxed) }

    @usableFromInline
    package static var isListing: Bool { registry.isListing.load(ordering: .relaxed) }

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
        /// The signal it subscribed to.
        public let chain: Chain
        /// The place where it subscribed.
        public let location: CodeLocation

        public var description: String { "\(chain) (\(location))" }
    }

    static let registry = Registry()

    final class Registry: Sendable {
        let live = Atomic<Int>(0)
        let unheardLosses = Atomic<Int>(0)
        let isListing = Atomic<Bool>(false)
        private let listed = Lock((entries: [UInt64: ListedSubscription](), next: UInt64(1)))

        var descriptions: [Description] {
            listed.withLock { Array($0.entries) }.sorted { $0.key < $1.key }.map(\.value.description)
        }

        func add(_ entry: ListedSubscription) -> UInt64 {
            listed.withLock { listed in
                defer { listed.next += 1 }
                listed.entries[listed.next] = entry
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

    // Inlined, so that a program built for release need not keep the signal in memory for a description that nobody wants:
    // that alone would keep the optimiser from seeing through a chain. Only its type is passed on there.
    @inlinable
    @inline(__always)
    package init<Source: Signal>(
        _ chain: @autoclosure () -> Chain,
        of type: Source.Type,
        fileID: StaticString,
        line: UInt
    ) {
        if Self.lists {
            self.init(listing: chain(), CodeLocation(fileID: fileID, line: line))
        } else if Subscriptions.isListing {
            self.init(listing: type, CodeLocation(fileID: fileID, line: line))
        } else {
            self.init(key: 0)
        }
    }

    @usableFromInline
    init(key: UInt64) {
        self.key = key
        Subscriptions.registry.live.wrappingAdd(1, ordering: .relaxed)
    }

    // The description is made here: keeping the signal to describe it later would keep everything it holds.
    @usableFromInline
    init(listing chain: Chain, _ location: CodeLocation) {
        self.init(key: Subscriptions.registry.add(ListedSubscription(.chain(chain), location)))
    }

    @usableFromInline
    init(listing type: any Signal.Type, _ location: CodeLocation) {
        self.init(key: Subscriptions.registry.add(ListedSubscription(.type(type), location)))
    }

    deinit {
        Subscriptions.registry.live.wrappingSubtract(1, ordering: .relaxed)
        if key != 0 { Subscriptions.registry.remove(key) }
    }
}

/// An entry of the list of subscriptions. The description is made from it when somebody asks.
struct ListedSubscription: Sendable {
    enum Source: Sendable {
        case chain(Chain)
        case type(any Signal.Type)
    }

    private let source: Source
    private let location: CodeLocation

    init(_ source: Source, _ location: CodeLocation) {
        self.source = source
        self.location = location
    }

    var description: Subscriptions.Description {
        let chain =
            switch source {
            case .chain(let chain): chain
            case .type(let type): type.chain
            }
        return Subscriptions.Description(chain: chain, location: location)
    }
}
