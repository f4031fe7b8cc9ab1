import Loop
public import SystemPackage

/// A file that holds a place: the cursor of the entry up to which everything was done.
public struct CursorFile: Sendable, Hashable {
    /// The path of the file, which need not exist yet.
    public let path: String

    /// Opens and checks nothing.
    public init(path: String) {
        self.path = path
    }

    /// A forwarder keeps up to 34 cursors in it, none of which is nearly 4 KiB long.
    private var file: SmallFile { SmallFile(path: path, maxLength: 128 << 10) }

    /// The cursor in the file; `nil` if there is no such file, or nothing in it.
    ///
    /// - Throws: ``CursorFileError`` when it cannot be read, or is not a text file of at most 128 KiB.
    public func read() throws(CursorFileError) -> String? { try readLines().first.flatMap { $0.isEmpty ? nil : $0 } }

    /// Its lines; none if there is no such file. A file with nothing in it has one empty line.
    package func readLines() throws(CursorFileError) -> [String] {
        let bytes: [UInt8]?
        do throws(SmallFileError) {
            bytes = try file.read()
        } catch {
            switch error.reason {
            case .system(let code):
                throw CursorFileError(description: "cannot read the cursor file \(path): \(Errno(rawValue: code))")
            case .notRegular: throw CursorFileError(description: "the cursor file \(path) is no regular file")
            case .tooLong: throw CursorFileError(description: "\(path) holds no cursor: \(error.cause)")
            }
        }
        guard let bytes else { return [] }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CursorFileError(description: "\(path) holds no cursor: it is not text in UTF-8")
        }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Puts a new file in the place of the old one, so that either of them is whole, whatever happens. A link stays one: the file
    /// that it leads to is replaced, or made.
    ///
    /// - Throws: `Errno` of the step that failed; `fileExists` when the path is that of a directory, device, pipe or socket;
    ///   `fileTooLarge` when the cursor is longer than 128 KiB. The old file stays as it was.
    public func write(_ cursor: String) throws(Errno) {
        // A name of its own: another run may save its place in the same file.
        let suffix = ".\(String(UInt64.random(in: 0 ... .max), radix: 16)).new"
        do throws(SmallFileError) {
            try file.replace(by: Array((cursor + "\n").utf8), suffix: suffix)
        } catch {
            switch error.reason {
            case .system(let code): throw Errno(rawValue: code)
            // A device or a pipe has come here.
            case .notRegular: throw .fileExists
            case .tooLong: throw .fileTooLarge
            }
        }
    }
}

/// Why it cannot be read.
public struct CursorFileError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    /// - Parameter description: the whole message, with the path, for a person.
    public init(description: String) {
        self.description = description
    }
}
