import Records

extension RecordTime {
    /// The value of `--since` and `--until`.
    init(argument: String) throws {
        guard let time = RecordTime(written: argument) else {
            throw BadValue(
                description:
                    "write a time, as in '2026-11-23 18:00', '18:00 Asia/Tokyo', today, yesterday, -2h, '10min ago' or @1700000000"
            )
        }
        self = time
    }
}
