/// Entries like those of a small server, in the journal export format. They are the same at every run.
struct NarrowEntries: EntrySource {
    /// Changes whenever the text does, so that an older journal is never mistaken for this one.
    static let version = 1
    /// The fields of each entry, including its boot.
    static let fields = 12
    /// Occurs in one message of 997.
    static let needle = "needle"
    /// Occurs in one message, the third.
    static let rarity = "session 2 opened"
    /// Wrote half of the entries.
    static let busyUnit = "nginx.service"
    /// Wrote one entry of 1,000.
    static let rareUnit = "backup.service"

    private static let units = [
        "nginx", "postgresql", "app@1", "app@2", "sshd", "docker", "systemd-logind", "cron", "redis", "prometheus",
    ]
    private var chance = Chance()

    mutating func append(_ number: Int, to text: inout [UInt8]) {
        // Half of the entries come from the first unit, a quarter from the second, and so on.
        let common = Self.units[min(Self.units.count - 1, (chance.next() | 1 << 62).trailingZeroBitCount)]
        let unit = number % 1000 == 999 ? Self.rareUnit : common + ".service"
        let name = unit.prefix { $0 != "." && $0 != "@" }
        let priority = [6, 6, 6, 6, 6, 5, 4, 3][Int(chance.next() % 8)]
        let process = 400 + Int(chance.next() % 300)
        let entry = """
            __REALTIME_TIMESTAMP=\(1_700_000_000_000_000 + number * 1000)
            __MONOTONIC_TIMESTAMP=\(1_000_000 + number * 1000)
            _BOOT_ID=f446871715504074bf7049ef0718fa93
            MESSAGE=\(message(number))
            PRIORITY=\(priority)
            SYSLOG_FACILITY=3
            SYSLOG_IDENTIFIER=\(name)
            _COMM=\(name)
            _PID=\(process)
            _UID=\(name.utf8.count % 4)
            _GID=\(name.utf8.count % 4)
            _HOSTNAME=web-1
            _TRANSPORT=journal
            _SYSTEMD_UNIT=\(unit)


            """
        text.append(contentsOf: entry.utf8)
    }

    private mutating func message(_ number: Int) -> String {
        let detail = chance.next() % 1_000_000
        if number % 997 == 996 { return "found the \(Self.needle) in haystack \(detail)" }
        switch chance.next() % 6 {
        case 0: return "GET /articles/\(detail)/comments 200 in \(detail % 90) ms"
        case 1: return "connection \(number) from 10.0.\(detail % 256).7 closed"
        case 2: return "could not open \"/var/lib/app/\(detail)\": permission denied"
        case 3: return "checkpoint complete: wrote \(detail) buffers in \(number) ms"
        case 4: return "upstream request \(number) ran into a time-out after \(detail % 60) s"
        default: return "session \(number) opened for user root by (uid=0), seat \(detail)"
        }
    }
}
