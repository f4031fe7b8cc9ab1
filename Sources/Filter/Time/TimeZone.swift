import Glibc
import Synchronization

/// How far a zone's clocks are from UTC, as the system's time zone database has it.
struct TimeZone: Sendable {
    private enum Rules {
        case fixed(Int64)
        case database(ZoneFile)
        case rule(ZoneRule)
    }

    private let rules: Rules

    /// Zones found so far, and names that were none, by name.
    private static let known = Mutex<[[UInt8]: TimeZone?]>([:])
    /// Names may come from records; there are some 600 zones.
    private static let mostKnown = 1024

    /// The zone of that name: `UTC`, `Europe/Berlin`, an offset such as `+02:00`, or `Local` for the machine's own as it
    /// was when it was first asked for.
    static func find(_ name: some Collection<UInt8>) -> TimeZone? {
        guard name.count <= 64 else { return nil }
        if let offset = offset(name) { return TimeZone(rules: .fixed(offset)) }
        let key = Array(name)
        if let known = known.withLock({ $0[key] }) { return known }
        let zone =
            key.elementsEqual("Local".utf8) ? local() : ZoneFile.load(key).map { TimeZone(rules: .database($0)) }
        known.withLock { known in
            if known.count >= mostKnown { known.removeAll() }
            known[key] = .some(zone)
        }
        return zone
    }

    /// In seconds east of UTC.
    func offset(at seconds: Int64) -> Int64 {
        switch rules {
        case .fixed(let offset): offset
        case .database(let file): file.offset(at: seconds)
        case .rule(let rule): rule.offset(at: seconds)
        }
    }

    /// What `TZ` says, as the C library reads it, or else /etc/localtime; UTC where neither is a zone.
    private static func local() -> TimeZone {
        let utc = TimeZone(rules: .fixed(0))
        func file(_ path: String) -> TimeZone? { ZoneFile.load(path: path).map { TimeZone(rules: .database($0)) } }
        guard let variable = getenv("TZ") else { return file("/etc/localtime") ?? utc }
        var name = String(cString: variable)
        if name.hasPrefix(":") { name.removeFirst() }
        if name.hasPrefix("/") { return file(name) ?? utc }
        let bytes = Array(name.utf8)
        if let zone = ZoneFile.load(bytes) { return TimeZone(rules: .database(zone)) }
        return ZoneRule(bytes[...]).map { TimeZone(rules: .rule($0)) } ?? utc
    }

    /// `+02:00`, `-02:30`, and the same without a sign.
    private static func offset(_ name: some Collection<UInt8>) -> Int64? {
        if name.elementsEqual("UTC".utf8) || name.elementsEqual("Z".utf8) { return 0 }
        var rest = ArraySlice(name)
        let isWest = rest.first == UInt8(ascii: "-")
        if isWest || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let parts = rest.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, let hours = number(parts[0]), let minutes = number(parts[1]), hours < 24, minutes < 60,
            parts[1].count == 2
        else { return nil }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard (1...2).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}
