import Glibc
import SystemPackage

/// A file with headers for each request, one a line, as `Name: value`. Empty lines and those that begin with `#` are passed over.
struct HeadersFile {
    private static let maxSize = 64 << 10
    /// The sink sets them itself.
    private static let own = ["content-type", "content-encoding", "content-length", "transfer-encoding", "expect"]

    let path: String

    /// Why there are no headers. It has nothing of the file's contents, which are secret.
    struct Failure: Error {
        let description: String
    }

    func headers() throws(Failure) -> [String] {
        let bytes: [UInt8]
        do {
            let descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
            bytes = try descriptor.closeAfter {
                var all: [UInt8] = []
                var part = [UInt8](repeating: 0, count: 4096)
                while all.count <= Self.maxSize,
                    case let count = try part.withUnsafeMutableBytes({ try descriptor.read(into: $0) }),
                    count > 0
                {
                    all += part[..<count]
                }
                return all
            }
        } catch {
            throw Failure(description: "cannot read the headers in \(path): \(error)")
        }
        guard bytes.count <= Self.maxSize, let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(description: "\(path) holds no headers: it is longer than 64 KiB, or is not UTF-8")
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
        let (name, value) = (line[..<colon], line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
        let isName =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        let isValue = !value.isEmpty && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        return isName && isValue ? (name, value) : nil
    }
}
