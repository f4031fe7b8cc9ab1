import CCurl

/// The gzip format, by zlib.
enum Gzip {
    /// - Returns: `nil` where zlib cannot be loaded or the bytes are too many for it. libcurl has to be loaded.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        let bound = ccurl_gzip_bound(bytes.count)
        guard bound > 0 else { return nil }
        let result = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            count = bytes.withUnsafeBytes { ccurl_gzip($0.baseAddress, $0.count, buffer.baseAddress, bound) }
        }
        return result.isEmpty ? nil : result
    }
}
