internal import CCompression

/// How large payloads are compressed.
package enum PayloadCompression: CaseIterable, Sendable {
    case none, xz, lz4, zstd

    /// The bit among the header's incompatible flags.
    var fileFlag: UInt32 {
        switch self {
        case .none: 0
        case .xz: 1
        case .lz4: 2
        case .zstd: 8
        }
    }

    /// The bit among the flags of a DATA object.
    var objectFlag: UInt8 {
        switch self {
        case .none: 0
        case .xz: 1
        case .lz4: 2
        case .zstd: 4
        }
    }

    /// `nil` if the result is not smaller.
    package func compressed(_ plain: [UInt8]) -> [UInt8]? {
        let room = plain.count - 1
        guard room > 8 else { return nil }
        switch self {
        case .none: return nil
        case .xz: return Self.xz(plain, room)
        case .lz4: return Self.lz4(plain, room)
        case .zstd: return Self.zstd(plain, room)
        }
    }

    /// A whole stream without a checksum.
    private static func xz(_ plain: [UInt8], _ room: Int) -> [UInt8]? {
        var options = lzma_options_lzma()
        guard lzma_lzma_preset(&options, 0) == 0 else { return nil }
        var output = [UInt8](repeating: 0, count: room)
        var length = 0
        let result = withUnsafeMutablePointer(to: &options) { options in
            var filters = [lzma_filter(id: lzma2, options: options), lzma_filter(id: lzma_vli.max, options: nil)]
            return lzma_stream_buffer_encode(
                &filters,
                LZMA_CHECK_NONE,
                nil,
                plain,
                plain.count,
                &output,
                &length,
                room
            )
        }
        return result == LZMA_OK ? Array(output[..<length]) : nil
    }

    /// LZMA_FILTER_LZMA2. The macro is too complex to be imported.
    private static let lzma2: lzma_vli = 0x21

    /// The uncompressed size and a raw block.
    private static func lz4(_ plain: [UInt8], _ room: Int) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: room - 8)
        let length = plain.withUnsafeBytes { plain in
            output.withUnsafeMutableBytes { output in
                LZ4_compress_default(plain.baseAddress, output.baseAddress, Int32(plain.count), Int32(output.count))
            }
        }
        guard length > 0 else { return nil }
        return (0..<8).map { UInt8(truncatingIfNeeded: plain.count >> (8 * $0)) } + output[..<Int(length)]
    }

    private static func zstd(_ plain: [UInt8], _ room: Int) -> [UInt8]? {
        var output = [UInt8](repeating: 0, count: room)
        let length = ZSTD_compress(&output, room, plain, plain.count, ZSTD_CLEVEL_DEFAULT)
        return ZSTD_isError(length) == 0 ? Array(output[..<length]) : nil
    }
}
