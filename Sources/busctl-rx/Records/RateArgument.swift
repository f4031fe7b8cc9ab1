import Records

/// The value of `--rate`: how many in which time, as in `10/s`, `100/1m`.
struct RateArgument: Equatable {
    let count: Int
    let duration: Duration

    init(argument: String) throws {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let count = Int(parts[0]), count > 0, count <= 1_000_000, let first = parts[1].first,
            let duration = Duration(written: first.isNumber ? parts[1] : "1\(parts[1])")
        else {
            throw BadValue(description: "write a number, / and a unit of time or a duration, as in 10/s or 100/5m")
        }
        self.count = count
        self.duration = duration
    }
}
