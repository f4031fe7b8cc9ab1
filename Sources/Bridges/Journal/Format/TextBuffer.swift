/// Gathers written entries until there are enough of them to be worth handing on: few at first, so that the first lines are seen
/// soon.
final class TextBuffer {
    private static let most = 32 * 1024
    private var enough = 2 * 1024

    var buffer = OutputBuffer()

    var hasEnough: Bool { buffer.count >= enough }

    func take() -> JournalText? {
        guard !buffer.isEmpty else { return nil }
        defer { buffer.removeAll() }
        enough = min(enough * 2, Self.most)
        return .entries(buffer.withBytes { Array($0) })
    }
}
