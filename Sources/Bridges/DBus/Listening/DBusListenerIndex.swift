/// Finds the subscriptions that may want a message, by the message's member. So a connection with many rules looks at
/// few of them.
struct DBusListenerIndex {
    /// In the order of their numbers, which is the order in which they were made.
    private var byMember: [String: [UInt64]] = [:]
    private var ofAnyMember: [UInt64] = []

    mutating func add(_ number: UInt64, _ match: DBusMatch) {
        if let member = match.member {
            Self.insert(number, into: &byMember[member, default: []])
        } else {
            Self.insert(number, into: &ofAnyMember)
        }
    }

    mutating func remove(_ number: UInt64, _ match: DBusMatch) {
        guard let member = match.member else { return ofAnyMember.removeAll { $0 == number } }
        byMember[member]?.removeAll { $0 == number }
        if byMember[member]?.isEmpty == true { byMember[member] = nil }
    }

    /// The subscriptions that may mean a message, in their order.
    func candidates(_ member: String?) -> [UInt64] {
        let named = member.flatMap { byMember[$0] } ?? []
        if named.isEmpty { return ofAnyMember }
        return ofAnyMember.isEmpty ? named : (named + ofAnyMember).sorted()
    }

    private static func insert(_ number: UInt64, into numbers: inout [UInt64]) {
        let place = numbers.lastIndex { $0 < number }.map { $0 + 1 } ?? 0
        numbers.insert(number, at: place)
    }
}
