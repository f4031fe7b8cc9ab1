import CCurl

/// Writes the gzip format, by libdeflate. For one thread at a time.
final class Gzip {
    private let deflater: OpaquePointer

    /// Fails without memory. ``HTTPClient/loadFailure`` has to be nil.
    init?() {
        guard let deflater = cdeflate_init() else { return nil }
        self.deflater = deflater
    }

    deinit {
        cdeflate_cleanup(deflater)
    }

    /// The caller deallocates it. `nil` without memory for it.
    func compressed(_ bytes: [UInt8]) -> UnsafeMutableRawBufferPointer? {
        let bound = cdeflate_gzip_bound(deflater, bytes.count)
        return withUnsafeTemporaryAllocation(byteCount: bound, alignment: 1) { buffer in
            let count = bytes.withUnsafeBytes {
                cdeflate_gzip(deflater, $0.baseAddress, $0.count, buffer.baseAddress, bound)
            }
            guard count > 0 else { return nil }
            // As small as it is, for as long as the answer takes.
            let result = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
            result.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return result
        }
    }
}
