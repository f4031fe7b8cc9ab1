/// A form in which whole files are compressed, as those that logrotate has moved away.
package struct Compression: Sendable {
    package let name: String
    /// The program that writes such a file out again.
    package let program: String
    /// The ending of such a file's name.
    let ending: String
    /// The bytes with which such a file begins.
    private let magic: [UInt8]

    static let all = [
        Compression(name: "gzip", program: "zcat", ending: ".gz", magic: [0x1F, 0x8B]),
        Compression(name: "zstd", program: "zstdcat", ending: ".zst", magic: [0x28, 0xB5, 0x2F, 0xFD]),
        Compression(name: "xz", program: "xzcat", ending: ".xz", magic: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
        Compression(name: "bzip2", program: "bzcat", ending: ".bz2", magic: [0x42, 0x5A, 0x68]),
        Compression(name: "lz4", program: "lz4cat", ending: ".lz4", magic: [0x04, 0x22, 0x4D, 0x18]),
    ]
    /// So many bytes tell them apart.
    package static let headSize = 6

    /// The form of a file, by its first bytes; `nil` where it is not compressed.
    package static func of(_ head: some Collection<UInt8>) -> Compression? {
        all.first { head.starts(with: $0.magic) }
    }
}
