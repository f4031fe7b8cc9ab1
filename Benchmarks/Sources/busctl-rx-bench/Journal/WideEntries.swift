/// Entries like those of the services of a web shop, in the journal export format. They have 26 fields, of which the
/// command line, the request and the stack trace are long enough to be compressed.
struct WideEntries: EntrySource {
    /// Changes whenever the text does, so that an older journal is never mistaken for this one.
    static let version = 1
    /// The fields of each entry, including its boot.
    static let fields = 26
    /// Occurs in one message of 997.
    static let needle = "needle"
    /// Occurs in one message, the third.
    static let rarity = "schema version 7"
    /// Wrote half of the entries.
    static let busyUnit = "api.service"
    /// Wrote one entry of 1,000.
    static let rareUnit = "backup.service"

    private static let units = ["api", "checkout", "worker@1", "worker@2", "nginx", "postgresql", "sshd", "cron"]
    private var chance = Chance()
    private var request = ""

    mutating func append(_ number: Int, to text: inout [UInt8]) {
        let common = Self.units[min(Self.units.count - 1, (chance.next() | 1 << 62).trailingZeroBitCount)]
        let unit = number % 1000 == 999 ? Self.rareUnit : common + ".service"
        // Four entries are about the same request.
        if number % 4 == 0 { request = makeRequest(number) }
        text.append(contentsOf: fields(number, unit).utf8)
        appendLong("STACK_TRACE", stackTrace(unit), to: &text)
        if number % 1000 == 500 {
            appendLong("MESSAGE", "request \(number) failed:\n" + stackTrace(unit), to: &text)
        } else {
            text.append(contentsOf: "MESSAGE=\(message(number))\n".utf8)
        }
        text.append(UInt8(ascii: "\n"))
    }

    private mutating func fields(_ number: Int, _ unit: String) -> String {
        let name = unit.prefix { $0 != "." && $0 != "@" }
        let time = number * 5000
        let line = chance.below(40) * 13
        return """
            __REALTIME_TIMESTAMP=\(1_710_000_000_000_000 + time)
            __MONOTONIC_TIMESTAMP=\(1_000_000 + time)
            _BOOT_ID=2f1d6c0b7e7a4c54b0d9a1a8a7c4f3e2
            _SOURCE_REALTIME_TIMESTAMP=\(1_710_000_000_000_000 + time - 40 - chance.below(300))
            _MACHINE_ID=5b8c3a1e9d0f4f6e8a7b6c5d4e3f2a1b
            _HOSTNAME=shop-3.example.com
            _TRANSPORT=journal
            _RUNTIME_SCOPE=system
            PRIORITY=\([6, 6, 6, 6, 6, 6, 7, 7, 5, 5, 5, 4, 4, 3, 3, 2][chance.below(16)])
            SYSLOG_FACILITY=3
            SYSLOG_IDENTIFIER=\(name)
            _PID=\(1200 + name.utf8.count * 31 + chance.below(4))
            _UID=\(990 + name.utf8.count)
            _GID=\(990 + name.utf8.count)
            _COMM=\(name)
            _EXE=/opt/shop/bin/\(name)
            _CMDLINE=\(Self.commandLine(name))
            _CAP_EFFECTIVE=0
            _SYSTEMD_CGROUP=/shop.slice/\(unit)
            _SYSTEMD_UNIT=\(unit)
            _SYSTEMD_SLICE=shop.slice
            _SYSTEMD_INVOCATION_ID=9c1e4d7f2b5a4860b3c8d1e6f9a2\(1000 + unit.utf8.count)
            CODE_FILE=src/\(name)/handler_\(line % 7).c
            CODE_LINE=\(100 + line)
            CODE_FUNC=handle_\(line % 11)
            REQUEST=\(request)

            """
    }

    private mutating func message(_ number: Int) -> String {
        if number == 2 { return "migrated from \(Self.rarity)" }
        if number % 997 == 996 { return "found the \(Self.needle) in parcel \(number)" }
        // 15 % of the messages repeat earlier ones.
        guard chance.below(100) >= 15 else { return Self.repeated[chance.below(Self.repeated.count)] }
        let detail = chance.below(1_000_000)
        switch chance.below(5) {
        case 0: return "GET /basket/\(number)/items?page=\(detail % 9) 200 in \(detail % 90) ms, 10.2.\(detail % 256).7"
        case 1: return "order \(number) was paid by card, \(detail) cents, terminal \(detail % 31)"
        case 2: return "query \(number) took \(detail % 4000) ms: SELECT * FROM items WHERE basket = \(detail)"
        case 3: return "connection \(number) from 10.2.\(detail % 256).9 ran into a time-out after \(detail % 60) s"
        default: return "parcel \(number) handed to the carrier, weight \(detail % 30_000) g, label \(detail)"
        }
    }

    private static let repeated = [
        "reloaded the configuration", "health check passed", "cache is cold", "no free worker, waiting",
        "retrying the connection to the database", "session expired", "flushed the queue", "nothing to do",
    ]

    private mutating func makeRequest(_ number: Int) -> String {
        let headers = ["accept", "accept-encoding", "accept-language", "cookie", "referer", "user-agent", "x-trace"]
        let pairs = headers.map { "\"\($0)\":\"value of \($0) in session \(chance.below(100_000)), shop.example.com\"" }
        return
            #"{"id":\#(number),"method":"POST","route":"/basket/items","headers":{\#(pairs.joined(separator: ","))}}"#
    }

    /// One of 64 for each unit.
    private mutating func stackTrace(_ unit: String) -> String {
        let variant = chance.below(64)
        return (0..<14).map { "#\($0) 0x\(7_300_000 + $0 * 977 + variant) handle_\(variant) (\(unit), part \($0))" }
            .joined(separator: "\n")
    }

    private static func commandLine(_ name: Substring) -> String {
        "/opt/shop/bin/\(name) "
            + (0..<20).map { "--set \(name).option-\($0)=/etc/shop/\(name)/\($0).conf" }.joined(separator: " ")
    }

    /// The export format's form for values that contain line feeds.
    private func appendLong(_ field: String, _ value: String, to text: inout [UInt8]) {
        text.append(contentsOf: "\(field)\n".utf8)
        withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { text.append(contentsOf: $0) }
        text.append(contentsOf: value.utf8)
        text.append(UInt8(ascii: "\n"))
    }
}
