import CCompression
import Glibc

/// Decompresses the values of large fields, as journald compressed them.
///
/// The result is valid until the next call.
final class PayloadDecoder {
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0
    private var zstd: OpaquePointer?

    static let xz: UInt8 = 1
    static let lz4: UInt8 = 2
    static let zstd: UInt8 = 4

    /// The object decoded last, and its decoded size in bytes. Entries that share a large field come one after the other.
    private var last: (key: UInt64, offset: Int, count: Int) = (0, 0, 0)
    /// Fields that cannot be decoded, which may take long to find out.
    private var refused: Set<Refused> = []
    private static let maxRefused = 1024

    private struct Refused: Hashable {
        var key: UInt64
        var offset: Int
        var limit: Int
    }

    deinit {
        free(memory)
        ZSTD_freeDCtx(zstd)
    }

    /// Forgets the decoded value, because another file follows.
    func forget() {
        last.key = 0
        refused.removeAll(keepingCapacity: true)
    }

    /// - Parameters:
    ///   - method: the object's flag.
    ///   - place: under which key the file's contents are known, and where in it the object is.
    ///   - limit: how large the result may be.
    /// - Returns: `nil` for a value that cannot be decompressed, is empty, or is larger than `limit`.
    func decode(
        _ source: UnsafeRawBufferPointer,
        method: UInt8,
        of place: (key: UInt64, offset: Int),
        limit: Int = JournalFile.maxValueSize
    ) -> UnsafeRawBufferPointer? {
        if last.key == place.key, last.offset == place.offset {
            return last.count <= limit ? UnsafeRawBufferPointer(start: memory, count: last.count) : nil
        }
        let place = Refused(key: place.key, offset: place.offset, limit: limit)
        if refused.contains(place) { return nil }
        last.key = 0
        let count: Int? =
            switch method {
            case Self.zstd: decodeZSTD(source, limit)
            case Self.lz4: decodeLZ4(source, limit)
            case Self.xz: decodeXZ(source, limit)
            default: nil
            }
        guard let count, count > 0, count <= limit else {
            if refused.count >= Self.maxRefused { refused.removeAll(keepingCapacity: true) }
            refused.insert(place)
            // Memory that was taken for a large claim is given back.
            _ = reserve(0)
            return nil
        }
        last = (place.key, place.offset, count)
        return UnsafeRawBufferPointer(start: memory, count: count)
    }

    /// Reserves capacity for that many bytes. The contents are lost.
    private func reserve(_ count: Int) -> UnsafeMutableRawPointer? {
        guard count > capacity || capacity > 4 << 20 && count < capacity / 4 else { return memory }
        free(memory)
        let newCapacity = max(count, 64 << 10)
        memory = malloc(newCapacity)
        capacity = memory == nil ? 0 : newCapacity
        return memory
    }

    private func decodeZSTD(_ source: UnsafeRawBufferPointer, _ limit: Int) -> Int? {
        let size = ZSTD_getFrameContentSize(source.baseAddress, source.count)
        // The two largest numbers mean "unknown" and "no frame". Three bytes are a block, of 128 KiB at most: no
        // memory is allocated for a larger claim.
        guard size <= UInt64(limit), size <= UInt64(source.count / 3 + 1) << 17 else { return nil }
        if zstd == nil { zstd = ZSTD_createDCtx() }
        guard let zstd, let memory = reserve(Int(size)) else { return nil }
        let count = ZSTD_decompressDCtx(zstd, memory, capacity, source.baseAddress, source.count)
        return ZSTD_isError(count) == 0 ? count : nil
    }

    /// The size of the plain text, 8 bytes, and then a raw block.
    private func decodeLZ4(_ source: UnsafeRawBufferPointer, _ limit: Int) -> Int? {
        guard source.count > 8 else { return nil }
        let size = UInt64(littleEndian: source.loadUnaligned(as: UInt64.self))
        // A byte means 255 bytes at most.
        guard size <= UInt64(limit), size <= UInt64(source.count) << 8 else { return nil }
        guard let memory = reserve(Int(size)) else { return nil }
        let block = UnsafeRawBufferPointer(rebasing: source[8...])
        let count = LZ4_decompress_safe(
            block.bindMemory(to: CChar.self).baseAddress,
            memory.bindMemory(to: CChar.self, capacity: capacity),
            Int32(clamping: block.count),
            Int32(size)
        )
        return count == Int32(size) ? Int(count) : nil
    }

    private func decodeXZ(_ source: UnsafeRawBufferPointer, _ limit: Int) -> Int? {
        var stream = lzma_stream()
        // 64 MiB of memory are enough for the presets that journald uses.
        guard lzma_stream_decoder(&stream, 64 << 20, 0) == LZMA_OK else { return nil }
        defer { lzma_end(&stream) }
        stream.next_in = source.bindMemory(to: UInt8.self).baseAddress
        stream.avail_in = source.count
        var done = 0
        guard reserve(64 << 10) != nil else { return nil }
        while let memory {
            stream.next_out = memory.bindMemory(to: UInt8.self, capacity: capacity) + done
            stream.avail_out = capacity - done
            let result = lzma_code(&stream, LZMA_FINISH)
            done = capacity - stream.avail_out
            if result == LZMA_STREAM_END { return done }
            guard result == LZMA_OK, stream.avail_out == 0, done <= limit, capacity < JournalFile.maxValueSize, grow()
            else { return nil }
        }
        return nil
    }

    /// Whether that was possible. The contents are kept.
    private func grow() -> Bool {
        let newCapacity = min(capacity * 2, JournalFile.maxValueSize)
        guard let larger = realloc(memory, newCapacity) else { return false }
        memory = larger
        capacity = newCapacity
        return true
    }
}
