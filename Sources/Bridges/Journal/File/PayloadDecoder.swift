import CCompression
import Glibc

/// Decompresses the values of large fields, as journald compressed them.
///
/// The result is valid until the next call.
final class PayloadDecoder {
    private var memory: UnsafeMutableRawPointer
    private var capacity = 64 << 10
    private var zstd: OpaquePointer?

    static let xz: UInt8 = 1
    static let lz4: UInt8 = 2
    static let zstd: UInt8 = 4

    /// journald takes no larger field.
    private static let largest = 768 << 20

    init() {
        memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        memory.deallocate()
        ZSTD_freeDCtx(zstd)
    }

    /// - Parameter method: the object's flag.
    /// - Returns: `nil` for what cannot be decompressed, is empty, or is larger than a field may be.
    func decode(_ source: UnsafeRawBufferPointer, method: UInt8) -> UnsafeRawBufferPointer? {
        let count: Int? =
            switch method {
            case Self.zstd: decodeZSTD(source)
            case Self.lz4: decodeLZ4(source)
            case Self.xz: decodeXZ(source)
            default: nil
            }
        guard let count, count > 0 else { return nil }
        return UnsafeRawBufferPointer(start: memory, count: count)
    }

    /// Makes room for that many bytes. What was there is lost.
    private func reserve(_ count: Int) {
        guard count > capacity || capacity > 4 << 20 && count < capacity / 4 else { return }
        memory.deallocate()
        capacity = max(count, 64 << 10)
        memory = .allocate(byteCount: capacity, alignment: 16)
    }

    private func decodeZSTD(_ source: UnsafeRawBufferPointer) -> Int? {
        let size = ZSTD_getFrameContentSize(source.baseAddress, source.count)
        // The two largest numbers stand for "unknown" and "no frame".
        guard size <= UInt64(Self.largest) else { return nil }
        if zstd == nil { zstd = ZSTD_createDCtx() }
        guard let zstd else { return nil }
        reserve(Int(size))
        let count = ZSTD_decompressDCtx(zstd, memory, capacity, source.baseAddress, source.count)
        return ZSTD_isError(count) == 0 ? count : nil
    }

    /// The size of the plain text, 8 bytes, and then a raw block.
    private func decodeLZ4(_ source: UnsafeRawBufferPointer) -> Int? {
        guard source.count > 8 else { return nil }
        let size = UInt64(littleEndian: source.loadUnaligned(as: UInt64.self))
        guard size <= UInt64(Self.largest) else { return nil }
        reserve(Int(size))
        let block = UnsafeRawBufferPointer(rebasing: source[8...])
        let count = LZ4_decompress_safe(
            block.bindMemory(to: CChar.self).baseAddress,
            memory.bindMemory(to: CChar.self, capacity: capacity),
            Int32(clamping: block.count),
            Int32(size)
        )
        return count == Int32(size) ? Int(count) : nil
    }

    private func decodeXZ(_ source: UnsafeRawBufferPointer) -> Int? {
        var stream = lzma_stream()
        // 64 MiB of memory are enough for the presets that journald uses.
        guard lzma_stream_decoder(&stream, 64 << 20, 0) == LZMA_OK else { return nil }
        defer { lzma_end(&stream) }
        stream.next_in = source.bindMemory(to: UInt8.self).baseAddress
        stream.avail_in = source.count
        var done = 0
        reserve(64 << 10)
        while true {
            stream.next_out = memory.bindMemory(to: UInt8.self, capacity: capacity) + done
            stream.avail_out = capacity - done
            let result = lzma_code(&stream, LZMA_FINISH)
            done = capacity - stream.avail_out
            if result == LZMA_STREAM_END { return done }
            guard result == LZMA_OK, stream.avail_out == 0, capacity < Self.largest else { return nil }
            grow(keeping: done)
        }
    }

    private func grow(keeping count: Int) {
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity * 2, alignment: 16)
        memcpy(larger, memory, count)
        memory.deallocate()
        memory = larger
        capacity *= 2
    }
}
