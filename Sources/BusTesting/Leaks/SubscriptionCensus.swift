import Bus

/// The subscriptions of a part of the program at one moment.
struct SubscriptionCensus {
    private let count: Int
    private let list: [Subscriptions.Description]
    private let folder: String?

    /// - Parameter folder: the beginning of the `#fileID`s that count; nil for none.
    init(_ folder: String?) {
        self.folder = folder
        count = folder == nil ? 0 : Subscriptions.count
        list = folder.map { folder in Subscriptions.list.filter { $0.location.fileID.hasPrefix(folder) } } ?? []
    }

    /// The subscriptions that exist now and did not before, in words.
    func beyond(_ before: SubscriptionCensus) -> [String] {
        var old = before.list
        let new = list.filter { entry in
            guard let index = old.firstIndex(of: entry) else { return true }
            old.remove(at: index)
            return false
        }
        guard new.isEmpty, Subscriptions.list.isEmpty else { return new.map { "the subscription \($0) is left" } }
        return count > before.count ? ["\(count - before.count) subscriptions are left"] : []
    }
}
