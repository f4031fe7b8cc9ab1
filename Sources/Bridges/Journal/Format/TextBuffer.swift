/// Gathers written entries until there are enough of them to be worth handing on.
final class TextBuffer {
    private static let enough = 32 * 1024

    var buffer = OutputBuffer()

    var hasEnough: Bool { buffer.count >= Self.enough }

    func take() -> JournalText? {
        guard !buffer.isEmpty else { return nil }
        defer { buffer.removeAll() }
        return .entries(buffer.withBytes { Array($0) })
    }
}
