/// The start of a journal file. The layout is documented: https://systemd.io/JOURNAL_FILE_FORMAT/
struct FileHeader {
    /// Every version of the header has this many bytes at least.
    static let minSize = 208
    static let signature: [UInt8] = Array("LPKSHHRH".utf8)

    /// Features that a reader has to know to read a file.
    struct Features: OptionSet {
        let rawValue: UInt32

        static let xz = Features(rawValue: 1)
        static let lz4 = Features(rawValue: 2)
        static let keyedHash = Features(rawValue: 4)
        static let zstd = Features(rawValue: 8)
        static let compact = Features(rawValue: 16)
        static let known: Features = [.xz, .lz4, .keyedHash, .zstd, .compact]
    }

    let features: Features
    /// 0: closed, 1: being written, 2: closed for good.
    let state: UInt8
    let fileID: ID128
    /// The source of the entries' sequence numbers.
    let sequenceID: ID128
    let headerSize: UInt64
    let arenaSize: UInt64
    let dataTable: (offset: UInt64, size: UInt64)
    let fieldTable: (offset: UInt64, size: UInt64)
    let entryCount: UInt64
    let tailSequence: UInt64
    let headSequence: UInt64
    let entryArrayOffset: UInt64
    let headRealtime: UInt64
    let tailRealtime: UInt64

    /// - Parameter bytes: ``minSize`` of them.
    init(_ bytes: UnsafeRawPointer) {
        func number(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        features = Features(rawValue: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)))
        state = bytes.load(fromByteOffset: 16, as: UInt8.self)
        fileID = ID128(at: bytes + 24)
        sequenceID = ID128(at: bytes + 72)
        headerSize = number(88)
        arenaSize = number(96)
        dataTable = (number(104), number(112))
        fieldTable = (number(120), number(128))
        entryCount = number(152)
        tailSequence = number(160)
        headSequence = number(168)
        entryArrayOffset = number(176)
        headRealtime = number(184)
        tailRealtime = number(192)
    }

    /// Whether nothing will be added any more.
    var isArchived: Bool { state == 2 }

    /// The end of the file according to its header.
    var end: UInt64 {
        let (end, overflow) = headerSize.addingReportingOverflow(arenaSize)
        return overflow ? .max : end
    }

    /// The earliest place of the first object. If the header's size cannot be true, the first object is searched for.
    var firstObject: Int { (UInt64(Self.minSize)...512).contains(headerSize) ? Int(headerSize) & ~7 : Self.minSize }
}
