import Bus

/// Properties on their way to an observer. The queue's limit counts them, and a property may have 128 MiB.
///
/// When there is no capacity for another large value, the last parcel is left open: it is filled with the newest values until it is heard. So an
/// observer that was slow still hears the present state.
final class DBusPropertyBacklog: Sendable {
    /// The values of a parcel that is filled when it is heard; nil where there is none.
    private let newest = Lock<[String: DBusValue]?>(nil)
    private let capacity = MemoryBudget(DBusCapacity.size)

    /// The parcel for the values; nil if they have taken the place of earlier ones in the parcel that is open. On the connection's thread.
    func parcel(_ values: [String: DBusValue]) -> DBusPropertyParcel? {
        let replaced = newest.withLock { newest -> [String: DBusValue]? in
            guard newest != nil else { return nil }
            defer { newest = values }
            return newest
        }
        if replaced != nil { return nil }
        let bytes = values.reduce(0) { $0 + $1.key.utf8.count + $1.value.footprint }
        guard bytes > DBusCapacity.small else { return DBusPropertyParcel(values: values, share: nil) }
        if let share = capacity.share(bytes) { return DBusPropertyParcel(values: values, share: share) }
        newest.withLock { $0 = values }
        return DBusPropertyParcel(opening: self)
    }

    fileprivate func take() -> [String: DBusValue]? { newest.withLock { $0.take() } }
}

/// The values of some properties.
struct DBusPropertyParcel: Sendable {
    private let values: [String: DBusValue]
    private let share: MemoryBudget.Share?
    private let backlog: DBusPropertyBacklog?

    init(values: [String: DBusValue], share: MemoryBudget.Share?) {
        self.values = values
        self.share = share
        backlog = nil
    }

    /// It gets its values when it is heard.
    init(opening backlog: DBusPropertyBacklog) {
        values = [:]
        share = nil
        self.backlog = backlog
    }

    /// The values; nil if they were heard already. Called once.
    func open() -> [String: DBusValue]? { backlog.map { $0.take() } ?? values }
}
