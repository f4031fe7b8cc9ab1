/// After how many matches to end, `--count 3`, or how many rows to show.
struct MatchLimit: Equatable {
    let count: Int

    init(argument: String) throws { try self.init(argument: argument, of: "--count") }

    /// - Parameter option: as part of an example.
    init(argument: String, of option: String) throws {
        guard let count = Int(argument), count >= 1 else {
            throw BadValue(description: "write a whole number of at least 1, as in \(option) 3")
        }
        self.count = count
    }
}
