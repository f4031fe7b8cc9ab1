/// Entries of a hundred units, four a second, in the journal export format. They are the same at every run.
struct UnitEntries: EntrySource {
    /// Changes whenever the text does, so that an older journal is never mistaken for this one.
    static let version = 1
    /// The fields of each entry, including its boot.
    static let fields = 11
    /// Occurs in one message of 1,000.
    static let needle = "took 7 ms"
    /// Occurs in one message, the third.
    static let rarity = "request 2 of"
    /// One of a hundred with as many entries each.
    static let unit = "svc42.service"

    /// When the entry of that number was received, in seconds since 1970.
    static func time(of number: Int) -> Int { 1_700_000_000 + number / 4 }

    private var chance = Chance()

    mutating func append(_ number: Int, to text: inout [UInt8]) {
        let name = chance.below(100)
        let priority = [6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 5, 5, 4, 4, 7, 3][chance.below(16)]
        let entry = """
            __REALTIME_TIMESTAMP=\(1_700_000_000_000_000 + number * 250_000)
            __MONOTONIC_TIMESTAMP=\(1_000_000 + number * 250_000)
            _BOOT_ID=f446871715504074bf7049ef0718fa93
            MESSAGE=request \(number) of session \(chance.below(1_000_000)) took \(chance.below(1000)) ms
            PRIORITY=\(priority)
            SYSLOG_IDENTIFIER=svc\(name)
            _COMM=svc\(name)
            _PID=\(1000 + name)
            _UID=\(990 + name % 7)
            _GID=\(990 + name % 7)
            _HOSTNAME=web-1
            _TRANSPORT=journal
            _SYSTEMD_UNIT=svc\(name).service


            """
        text.append(contentsOf: entry.utf8)
    }
}
