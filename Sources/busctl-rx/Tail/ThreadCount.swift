import CLinux

/// How many threads search a journal and write its entries out: `--threads 4`.
struct ThreadCount: Equatable {
    let count: Int

    private static let most = 64

    init(argument: String) throws {
        guard let count = Int(argument), (1...Self.most).contains(count) else {
            throw BadValue(description: "write a whole number from 1 to \(Self.most), as in --threads 2")
        }
        self.count = count
    }

    /// As many as there are processors that this process may use, and at most eight, which read as fast as memory does.
    static var usable: Int {
        min(Int(clinux_usable_processors()), 8)
    }
}
