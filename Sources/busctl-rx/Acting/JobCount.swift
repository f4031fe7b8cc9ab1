/// How many commands run at once: `--jobs 4`.
struct JobCount: Equatable {
    /// Each takes two descriptors and a process.
    static let most = 256

    let count: Int

    init(argument: String) throws {
        guard let count = Int(argument), (1...Self.most).contains(count) else {
            throw BadValue(description: "write a whole number from 1 to \(Self.most), as in --jobs 4")
        }
        self.count = count
    }
}
