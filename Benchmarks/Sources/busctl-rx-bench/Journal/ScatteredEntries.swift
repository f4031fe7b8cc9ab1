/// Entries with the numbers of 30,000 processes at random, so that an entry's values lie far from it and from each other.
struct ScatteredEntries: EntrySource {
    /// Changes whenever the text does, so that an older journal is never mistaken for this one.
    static let version = 1
    /// The fields of each entry, including its boot.
    static let fields = 9

    private var chance = Chance()

    mutating func append(_ number: Int, to text: inout [UInt8]) {
        let entry = """
            __REALTIME_TIMESTAMP=\(1_700_000_000_000_000 + number * 1000)
            __MONOTONIC_TIMESTAMP=\(1_000_000 + number * 1000)
            _BOOT_ID=f446871715504074bf7049ef0718fa93
            MESSAGE=request \(number) of session \(chance.below(1_000_000)) took \(chance.below(1000)) ms
            PRIORITY=\([6, 6, 6, 5, 4, 3][chance.below(6)])
            SYSLOG_IDENTIFIER=worker
            _COMM=worker
            _PID=\(1000 + chance.below(30_000))
            _UID=990
            _HOSTNAME=web-1
            _SYSTEMD_UNIT=worker.service


            """
        text.append(contentsOf: entry.utf8)
    }
}
