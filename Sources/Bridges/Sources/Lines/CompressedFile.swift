import JournalBridge

/// A file whose lines cannot be read because it is compressed.
enum CompressedFile {
    private static let kinds: [(magic: [UInt8], name: String, program: String)] = [
        ([0x1F, 0x8B], "gzip", "zcat"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd", "zstdcat"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz", "xzcat"), ([0x42, 0x5A, 0x68], "bzip2", "bzcat"),
        ([0x04, 0x22, 0x4D, 0x18], "lz4", "lz4cat"),
    ]

    /// The message for a person, with what to write instead; `nil` for any other file, and for one that cannot be read.
    static func objection(to path: String, as word: String) -> String? {
        let begin = FileBeginning.bytes(of: path, 8)
        guard let found = kinds.first(where: { begin.starts(with: $0.magic) }) else { return nil }
        return "\(path) is compressed (\(found.name)). Read it with: \(found.program) \(path) | busctl-rx … --from"
            + " \(word):-"
    }
}
