/// The layout of a journal file, and the contents of its header.
package struct JournalFileForm: Sendable {
    package enum State: UInt8, CaseIterable, Sendable {
        case offline, online, archived
    }

    /// How many slots a new entry array has.
    package enum ArrayCapacity: Sendable {
        /// 4, and then each about three times as many, like journald.
        case growing
        /// Always the same, which makes long chains.
        case fixed(Int)
    }

    /// The first files had 208, systemd 189 has 240, 246 has 256, 252 has 264, and 254 has 272.
    package static let headerSizes = [208, 224, 240, 256, 264, 272]

    package var isCompact = false
    /// Hashes by SipHash-2-4 under the file's id instead of lookup3.
    package var isKeyed = true
    package var compression = PayloadCompression.none
    /// Payloads of at least this many bytes are compressed, if that makes them smaller.
    package var compressionThreshold = 512
    package var headerSize = 264
    package var state = State.archived
    package var dataBuckets = 233
    package var fieldBuckets = 33
    package var arrayCapacity = ArrayCapacity.growing
    /// Whether zeros follow the last object to the end of a page, as in a file that is being written.
    package var isPadded = false
    /// After how many entries a TAG object follows, as in sealed files. Needs a header of 240 bytes. The tags seal
    /// nothing.
    package var tagInterval: Int?
    package var fileID = ID128(0x1111_1111_1111_4111, 0x8111_1111_1111_1111)
    package var machineID = ID128(0x2222_2222_2222_4222, 0x8222_2222_2222_2222)
    package var sequenceID = ID128(0x3333_3333_3333_4333, 0x8333_3333_3333_3333)

    package init() {}

    /// The offset of a DATA object's payload within the object.
    package var payloadStart: Int { isCompact ? 72 : 64 }
    package var entryItemSize: Int { isCompact ? 4 : 16 }
    package var slotSize: Int { isCompact ? 4 : 8 }

    var compatibleFlags: UInt32 { tagInterval == nil ? 0 : 1 }
    var incompatibleFlags: UInt32 { compression.fileFlag | (isKeyed ? 4 : 0) | (isCompact ? 16 : 0) }
}
