import Zones

/// A time zone as an expression names it: `UTC`, `Europe/Berlin`, an offset such as `+02:00`, or `Local` for the machine's
/// own.
enum ZoneArgument {
    /// How far the zone's clocks are from UTC at a time, in seconds east; nil when there is no such zone.
    static func offset(_ name: UnsafeRawBufferPointer, at seconds: Int64) -> Int64? {
        fixedOffset(name) ?? ZoneCache.system.zone(named: name)?.offset(at: seconds)
    }

    /// Why there is no such zone; nil when there is one.
    static func fault(_ name: [UInt8]) -> ZoneFault? {
        guard name.withUnsafeBytes({ fixedOffset($0) }) == nil else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        do throws(ZoneFault) {
            _ = text == "Local" ? try ZoneDatabase.system.local() : try ZoneDatabase.system.zone(named: text)
            return nil
        } catch {
            return error
        }
    }

    /// `+02:00`, `-02:30`, and the same without a sign, in seconds.
    private static func fixedOffset(_ name: UnsafeRawBufferPointer) -> Int64? {
        if name.elementsEqual("UTC".utf8) || name.elementsEqual("Z".utf8) { return 0 }
        let isWest = name.first == UInt8(ascii: "-")
        let digits = isWest || name.first == UInt8(ascii: "+") ? name.dropFirst() : name[...]
        guard let colon = digits.prefix(3).firstIndex(of: UInt8(ascii: ":")), let hours = number(digits[..<colon]),
            let minutes = number(digits[(colon + 1)...]), hours < 24, minutes < 60, digits[colon...].count == 3
        else { return nil }
        return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
    }

    /// Of one or two digits.
    private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> Int64? {
        guard (1...2).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}
