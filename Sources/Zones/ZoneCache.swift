import Glibc
import Synchronization

/// Zones that were used before, and names that are no zones.
///
/// A zone in the cache is found without an allocation. At most once a second, when a zone is looked up, the cache
/// checks whether its source has changed, for example by an update of tzdata or `timedatectl set-timezone`.
package final class ZoneCache: Sendable {
    private struct Entry {
        let name: [UInt8]
        let zone: TimeZone?
        let source: ZoneSource
        /// In nanoseconds of the clock.
        var lookedAt: Int64
    }

    package static let system = ZoneCache(.system, maxEntries: 1024) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static var freshness: Int64 { 1_000_000_000 }

    private let database: ZoneDatabase
    private let maxEntries: Int
    private let now: @Sendable () -> Int64
    /// Keyed by the name's hash. If two names have the same hash, the later replaces the earlier.
    private let entries = Mutex<[Int: Entry]>([:])

    /// - Parameters:
    ///   - maxEntries: names may come from records; when there are as many, all are forgotten.
    ///   - now: a clock, in nanoseconds, that is never set back.
    package init(_ database: ZoneDatabase, maxEntries: Int, now: @escaping @Sendable () -> Int64) {
        self.database = database
        self.maxEntries = maxEntries
        self.now = now
    }

    /// How many names are kept.
    var count: Int { entries.withLock { $0.count } }

    /// The zone of that name, or the local one for `Local`; nil when there is none, or it cannot be read.
    package func zone(named name: UnsafeRawBufferPointer) -> TimeZone? {
        guard name.count <= ZoneDatabase.maxNameLength else { return nil }
        var hasher = Hasher()
        hasher.combine(bytes: name)
        let key = hasher.finalize()
        let now = now()
        let known = entries.withLock { entries -> Entry? in
            guard let entry = entries[key], entry.name.elementsEqual(name) else { return nil }
            return entry
        }
        if let known, now - known.lookedAt < Self.freshness { return known.zone }
        return look(name, key, known, now)
    }

    private func look(_ bytes: UnsafeRawBufferPointer, _ key: Int, _ known: Entry?, _ now: Int64) -> TimeZone? {
        let name = String(decoding: bytes, as: UTF8.self)
        let isLocal = name == "Local"
        // Before the zone is read: a change in between is seen at the next look.
        let source = isLocal ? database.localSource() : database.source(named: name)
        let zone: TimeZone?
        if let known, known.source == source {
            zone = known.zone
        } else {
            // A caller that needs the reason asks the database.
            zone = isLocal ? try? database.local() : try? database.zone(named: name)
        }
        entries.withLock { entries in
            if entries.count >= maxEntries, entries[key] == nil { entries.removeAll() }
            entries[key] = Entry(name: Array(bytes), zone: zone, source: source, lookedAt: now)
        }
        return zone
    }
}
