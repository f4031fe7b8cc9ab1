import Glibc
import Synchronization

/// One subscriber of a bus that is not done yet.
///
/// The subscriber's observer holds it. An operator that enqueues the end, to pass it on later on another thread, holds it
/// until then (``ending``). When nobody holds it any more, the subscriber is done.
@usableFromInline
final class Listener: Sendable {
    private static let numbers = Atomic<UInt64>(0)

    /// The order of subscribing.
    let number: UInt64
    /// Closures that count the values waiting for it, one for each place where values may wait.
    let places: Lock<[@Sendable () -> Int]>
    private let list: ListenerList

    init(_ pattern: TopicPattern, in list: ListenerList) {
        number = Self.numbers.add(1, ordering: .relaxed).newValue
        places = Lock([])
        self.list = list
        list.enter(number, ListenerEntry(pattern: pattern, places: places))
    }

    deinit {
        list.leave(number)
    }

    /// Names a place where values wait for it.
    @usableFromInline
    func waits(in place: @escaping @Sendable () -> Int) {
        places.withLock { $0.append(place) }
    }

    // MARK: The end

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "the system has no thread-specific key left (pthread_key_create: \(code))")
        return key
    }()

    /// The listener whose end is being delivered on this thread.
    static var ending: Listener? {
        // Set by `end`, which holds the listener until it has taken it back.
        pthread_getspecific(key).map { Unmanaged<Listener>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Delivers the end.
    @usableFromInline
    func end(_ deliver: () -> Void) {
        let outer = pthread_getspecific(Self.key)
        // Held here until it is taken back below.
        pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
        withExtendedLifetime(self) { deliver() }
        pthread_setspecific(Self.key, outer)
    }
}

extension BusHub {
    /// A subscriber to one topic, which is held until it is done.
    @usableFromInline
    func listener(to topic: TopicName) -> Listener { Listener(TopicPattern(topic), in: listeners) }

    /// A subscriber to a pattern.
    @usableFromInline
    func listener(to pattern: TopicPattern) -> Listener { Listener(pattern, in: listeners) }
}
