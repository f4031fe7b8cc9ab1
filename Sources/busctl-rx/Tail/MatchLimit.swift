/// After how many matches to end: `--count 3`.
struct MatchLimit: Equatable {
    let count: Int

    init(argument: String) throws {
        guard let count = Int(argument), count >= 1 else {
            throw BadValue(description: "write a whole number of at least 1, as in --count 3")
        }
        self.count = count
    }
}
