import Glibc
import Loop

/// A file with headers for each request, one a line, as `Name: value`. Empty lines and those that begin with `#` are passed over.
struct HeadersFile {
    /// The sink sets them itself.
    private static let own = ["content-type", "content-encoding", "content-length", "transfer-encoding", "expect"]

    let path: String

    /// Why there are no headers. It has nothing of the file's contents, which are secret.
    struct Failure: Error {
        let description: String
    }

    func headers() throws(Failure) -> [String] {
        let bytes: [UInt8]
        do throws(SmallFileError) {
            guard let read = try SmallFile(path: path, maxLength: 64 << 10).read() else {
                throw SmallFileError("read", path, .system(ENOENT))
            }
            bytes = read
        } catch {
            throw Failure(description: "cannot read the headers in \(path): \(error.cause)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(description: "\(path) holds no headers: it is not text in UTF-8")
        }
        var headers: [String] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let header = Self.header(line) else {
                throw Failure(description: "line \(index + 1) of \(path) is no header; write it as Name: value")
            }
            if Self.own.contains(header.name.lowercased()) {
                throw Failure(description: "line \(index + 1) of \(path) sets \(header.name), which cannot be chosen")
            }
            headers.append("\(header.name): \(header.value)")
        }
        // Without credentials, or for no tenant, nothing is to be sent.
        guard !headers.isEmpty else { throw Failure(description: "\(path) holds no headers") }
        return headers
    }

    private static func header(_ line: Substring) -> (name: Substring, value: Substring)? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let (name, value) = (line[..<colon], Self.trimmed(line[line.index(after: colon)...]))
        let isName =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        let isValue = !value.isEmpty && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        return isName && isValue ? (name, value) : nil
    }

    private static func trimmed(_ value: Substring) -> Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let end = value.lastIndex { !isBlank($0) }
        return end.map { value[...$0].drop(while: isBlank) } ?? ""
    }
}
