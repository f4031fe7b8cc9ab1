import Records

/// Gathers written entries until there are enough of them to be worth handing on: few the first time, so that the first lines are
/// seen soon.
final class TextBuffer {
    private static let enough = 32 * 1024
    private var enough = 2 * 1024

    // Touched by the one thread that writes, for each entry.
    @exclusivity(unchecked) var buffer = OutputBuffer()

    var hasEnough: Bool { buffer.count >= enough }

    func take() -> JournalText? {
        guard !buffer.isEmpty else { return nil }
        defer { buffer.removeAll() }
        enough = Self.enough
        return .entries(buffer.withBytes { Array($0) })
    }
}
