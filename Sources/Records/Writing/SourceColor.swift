/// A colour for each source, the same in each run.
enum SourceColor {
    private static let colors: [StaticString] = [
        "\u{1B}[36m", "\u{1B}[32m", "\u{1B}[35m", "\u{1B}[34m", "\u{1B}[33m", "\u{1B}[96m", "\u{1B}[92m", "\u{1B}[95m",
    ]

    static func start(_ source: String) -> StaticString {
        // FNV-1a, because Swift's hashes differ from run to run.
        let hash = source.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return colors[Int(hash % UInt32(colors.count))]
    }
}
