import CCatalog
import Glibc

/// The texts of systemd's message catalogue: the meaning of a message with a `MESSAGE_ID`, and what to do about it.
///
/// libsystemd looks a text up in `/var/lib/systemd/catalog/database`, in the language of the process's `LC_MESSAGES`. Texts
/// that were looked up are kept, and so are ids without a text. An object is used by one thread at a time.
final class MessageCatalog {
    /// When so many ids or bytes are kept, all are forgotten, because the writers of entries choose the ids.
    private static let maxKept = 1024
    private static let maxBytes = 1 << 20

    private var kept: [ID128: [UInt8]?] = [:]
    private var bytes = 0

    /// The text for a message, with the names of fields in it; `nil` if there is none.
    func text(for id: ID128) -> [UInt8]? {
        if let known = kept[id] { return known }
        // If it cannot be read for one entry, it cannot be read for the others; the check at the start reports that.
        let text = try? Self.look(up: id)
        let size = text?.count ?? 0
        if kept.count >= Self.maxKept || bytes + size > Self.maxBytes {
            kept.removeAll()
            bytes = 0
        }
        kept[id] = .some(text)
        bytes += size
        return text
    }

    /// The reason why there is no text.
    enum Failure: Error {
        /// The catalogue has no text for an id, or cannot be read: the system's error number.
        case system(Int32)
        /// libsystemd cannot be loaded: the dynamic loader's message.
        case noLibrary(String)
    }

    static func look(up id: ID128) throws(Failure) -> [UInt8] {
        var text: UnsafeMutablePointer<CChar>?
        // ID128 has the bytes in their order.
        let code = withUnsafeBytes(of: id) { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { ccatalog_text($0.baseAddress, &text) }
        }
        if let reason = ccatalog_load_failure() { throw .noLibrary(String(cString: reason)) }
        guard code >= 0, let text else { throw .system(-code) }
        defer { free(text) }
        return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
}

extension ID128 {
    private static let dashes = [8, 13, 18, 23]

    /// - Parameter text: 32 hexadecimal digits, or as many with the dashes of a UUID; `nil` for anything else.
    init?(message text: UnsafeRawBufferPointer) {
        guard text.count == 36 else {
            self.init(hexadecimal: text)
            return
        }
        guard Self.dashes.allSatisfy({ text[$0] == UInt8(ascii: "-") }) else { return nil }
        let digits = text.indices.filter { !Self.dashes.contains($0) }.map { text[$0] }
        guard let id = digits.withUnsafeBytes({ ID128(hexadecimal: $0) }) else { return nil }
        self = id
    }
}
