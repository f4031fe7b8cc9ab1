public import SystemPackage

/// A file's name in its directory: bytes without a slash, nearly always text, but not guaranteed to be.
public struct FileName: Sendable {
    private enum Storage: Sendable {
        case text(String)
        /// No UTF-8.
        case bytes([UInt8])
    }

    private let storage: Storage

    /// The name that these bytes are.
    public init(bytes: [UInt8]) {
        self = bytes.withUnsafeBufferPointer { FileName($0) }
    }

    /// The name whose bytes are the text in UTF-8. Slashes and zero bytes are not looked for.
    public init(_ text: String) {
        storage = .text(text)
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let text = String(validating: bytes, as: UTF8.self) {
            storage = .text(text)
        } else {
            storage = .bytes(Array(bytes))
        }
    }

    /// The name as the file system has it.
    public var bytes: [UInt8] {
        switch storage {
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        }
    }

    /// Whether it means the watched directory itself, and no file in it.
    public var isEmpty: Bool {
        switch storage {
        case .text(let text): text.isEmpty
        case .bytes(let bytes): bytes.isEmpty
        }
    }

    /// The name as a part of a path, for `directory.appending(name.component)`; nil when it is empty.
    public var component: FilePath.Component? {
        (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { name in
            name.baseAddress.flatMap { FilePath.Component(platformString: $0) }
        }
    }
}

extension FileName: Hashable {
    // Byte for byte: to the file system, the two ways to write an umlaut are two names.
    public static func == (one: FileName, other: FileName) -> Bool {
        switch (one.storage, other.storage) {
        case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
        case (.bytes(let one), .bytes(let other)): one == other
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch storage {
        case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .bytes(let bytes): for byte in bytes { hasher.combine(byte) }
        }
    }
}

extension FileName: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral text: String) { self.init(text) }

    /// The name for people; bytes that are not UTF-8 are replaced.
    public var description: String {
        switch storage {
        case .text(let text): text
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        }
    }
}
