import CCurl

/// The gzip format, by libdeflate.
enum Gzip {
    /// - Returns: `nil` without memory for it. ``HTTPClient/loadFailure`` has to be nil.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        guard let deflater = cdeflate_init() else { return nil }
        defer { cdeflate_cleanup(deflater) }
        let bound = cdeflate_gzip_bound(deflater, bytes.count)
        let result = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = bytes.withUnsafeBytes {
                cdeflate_gzip(deflater, $0.baseAddress, $0.count, buffer.baseAddress, bound)
            }
        }
        // Without the bytes that it did not need, for as long as an answer takes.
        return result.isEmpty ? nil : Array(result[...])
    }
}
