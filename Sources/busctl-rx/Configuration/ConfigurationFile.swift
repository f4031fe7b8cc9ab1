import Glibc
import SystemPackage

/// Reads the configuration file, and checks everything in it.
enum ConfigurationFile {
    static let maxSize = 65_536
    static let maxLineLength = 4096

    /// The lines without the white space at their ends; `nil` if there is no file at a default place.
    static func lines(at place: ConfigurationPlace) throws(ConfigurationError) -> [String]? {
        guard let bytes = try bytes(at: place) else { return nil }
        var lines: [String] = []
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            lines.append(try text(of: line, number: lines.count + 1, place.path))
        }
        return lines
    }

    private static func text(
        of line: ArraySlice<UInt8>,
        number: Int,
        _ path: String
    ) throws(ConfigurationError) -> String {
        guard line.count <= maxLineLength else {
            throw ConfigurationError(path: path, line: number, "the line has more than \(maxLineLength) bytes")
        }
        guard !line.contains(0) else {
            throw ConfigurationError(path: path, line: number, "the line has a zero byte")
        }
        // A carriage return at the end is white space, too.
        let start = line.firstIndex { !isWhiteSpace($0) } ?? line.endIndex
        let end = line.lastIndex { !isWhiteSpace($0) }.map { $0 + 1 } ?? start
        guard let text = String(validating: line[start..<end], as: UTF8.self) else {
            throw ConfigurationError(path: path, line: number, "the line is not UTF-8 text")
        }
        return text
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func bytes(at place: ConfigurationPlace) throws(ConfigurationError) -> [UInt8]? {
        do {
            // A FIFO must not make the program wait for a writer.
            let descriptor = try FileDescriptor.open(
                FilePath(place.path),
                .readOnly,
                options: [.closeOnExec, .nonBlocking]
            )
            return try descriptor.closeAfter { try contents(of: descriptor, place) }
        } catch let error as ConfigurationError {
            throw error
        } catch {
            let isMissing = error as? Errno == .noSuchFileOrDirectory || error as? Errno == .notDirectory
            if isMissing, !place.isNamed { return nil }
            let isForbidden = error as? Errno == .permissionDenied
            throw ConfigurationError(
                "cannot read the configuration file \(place.path): \(error)",
                isForbidden: isForbidden && !place.isNamed
            )
        }
    }

    private static func contents(of descriptor: FileDescriptor, _ place: ConfigurationPlace) throws -> [UInt8] {
        let path = place.path
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ConfigurationError("the configuration file \(path) is not a regular file")
        }
        // It may name commands to be run. A file that another user left in the home directory must not.
        guard place.isNamed || status.st_uid == geteuid() || status.st_uid == 0 else {
            throw ConfigurationError(
                "the configuration file \(path) belongs to another user. Leave it out with --no-config, or name it in BUSCTL_RX_CONFIG"
            )
        }
        var bytes: [UInt8] = []
        // The size is the number of bytes read, whatever the file system reports.
        while bytes.count <= maxSize {
            let part = try [UInt8](unsafeUninitializedCapacity: maxSize + 1 - bytes.count) { buffer, count in
                count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            if part.isEmpty { return bytes }
            bytes += part
        }
        throw ConfigurationError("the configuration file \(path) is larger than \(maxSize / 1024) KiB")
    }
}
