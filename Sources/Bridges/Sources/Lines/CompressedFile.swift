import FileBridge
import JournalBridge

/// A file whose lines cannot be read because it is compressed.
enum CompressedFile {
    /// The message for a person, with what to write instead; `nil` for any other file, and for one that cannot be read.
    static func objection(to path: String, as word: String) -> String? {
        guard let found = Compression.of(FileBeginning.bytes(of: path, Compression.headSize)) else { return nil }
        return "\(path) is compressed (\(found.name)). Read it with: \(found.program) \(path) | busctl-rx … --from"
            + " \(word):-"
    }
}
