public import Synchronization

/// The handles of running inner signals, to be disposed of together.
///
/// One signal is started at a time. While it starts, its end is noted in one word. So a signal that ends inside its
/// own `subscribe`, as synchronous ones do, takes no lock and leaves nothing. Only the handle of a signal that goes
/// on gets a place, and gives it back when the signal ends.
@usableFromInline
package final class InnerHandles: Disposable, @unchecked Sendable {
    /// Names an inner signal.
    @frozen
    @usableFromInline
    package struct Key: Sendable {
        @usableFromInline let serial: UInt64
        @usableFromInline let place: Int

        @inlinable
        package init(serial: UInt64, place: Int) {
            self.serial = serial
            self.place = place
        }
    }

    private struct Places {
        var handles: [(serial: UInt64, handle: any Disposable)?] = [nil]
        var free: [Int] = []
        var isDisposed = false
    }

    /// The serial number of the signal that is being started; zero once it has ended or got its place.
    @usableFromInline let starting = Atomic<UInt64>(0)
    // Both belong to the caller that starts signals, one at a time.
    @exclusivity(unchecked) @usableFromInline var serial: UInt64 = 0
    @exclusivity(unchecked) @usableFromInline var place = 0
    private let places = Lock(Places())

    @usableFromInline
    package init() {}

    /// How many handles are held.
    package var count: Int { places.withLock { places in places.handles.count { $0 != nil } } }

    @inlinable
    package func start() -> Key {
        serial += 1
        starting.store(serial, ordering: .releasing)
        return Key(serial: serial, place: place)
    }

    @inlinable
    package func started(_ key: Key, _ handle: any Disposable) {
        if starting.load(ordering: .acquiring) == key.serial { keep(handle, for: key) }
    }

    @usableFromInline
    func keep(_ handle: any Disposable, for key: Key) {
        let isWanted = places.withLock { places -> Bool in
            guard !places.isDisposed else { return false }
            places.handles[key.place] = (key.serial, handle)
            if let free = places.free.popLast() {
                place = free
            } else {
                place = places.handles.count
                places.handles.append(nil)
            }
            return true
        }
        if !isWanted { handle.dispose() }
        // It may have ended on another thread meanwhile.
        if !clearStarting(key) { forget(key) }
    }

    @inlinable
    package func ended(_ key: Key) {
        if !clearStarting(key) { forget(key) }
    }

    @inlinable
    func clearStarting(_ key: Key) -> Bool {
        starting.compareExchange(expected: key.serial, desired: 0, ordering: .acquiringAndReleasing).exchanged
    }

    @usableFromInline
    func forget(_ key: Key) {
        // Released after the lock is: its deinitialiser may run any code.
        let forgotten = places.withLock { places -> (any Disposable)? in
            guard let kept = places.handles[key.place], kept.serial == key.serial else { return nil }
            places.handles[key.place] = nil
            places.free.append(key.place)
            return kept.handle
        }
        withExtendedLifetime(forgotten) {}
    }

    @usableFromInline
    package func dispose() {
        let handles = places.withLock { places -> [(serial: UInt64, handle: any Disposable)] in
            places.isDisposed = true
            defer { places.handles = Array(repeating: nil, count: places.handles.count) }
            return places.handles.compactMap { $0 }
        }
        for entry in handles.sorted(by: { $0.serial < $1.serial }) { entry.handle.dispose() }
    }

    @usableFromInline
    package var isDisposed: Bool { places.withLock { $0.isDisposed } }
}
