/// A receiver's answer to a request that it took: an `ExportLogsServiceResponse`.
public struct OTLPResponse: Sendable, Hashable {
    /// How many log records the receiver has refused. They may not be sent again.
    public private(set) var rejected: Int64 = 0
    /// The receiver's own words: why it has refused records, or a warning if it has refused none. At most ``maxMessage`` characters.
    public private(set) var message = ""

    /// So many characters of a message are kept.
    public static let maxMessage = 1024

    /// - Parameter bytes: the message in protobuf's binary encoding; empty where all records were taken.
    /// - Throws: where the bytes are no such message, or count fewer than zero records.
    public init(_ bytes: [UInt8]) throws(OTLPResponseError) { try self.init(bytes) { $0 } }

    /// - Parameter cleaned: what may be shown of a receiver's words.
    init(_ bytes: [UInt8], _ cleaned: (String) -> String) throws(OTLPResponseError) {
        do throws(ProtobufFlaw) {
            var response = ProtobufReader(bytes[...])
            while let (field, value) = try response.next() {
                guard field == 1, case .bytes(let partial) = value else { continue }
                try read(partial, cleaned)
            }
        } catch {
            throw OTLPResponseError(description: "the answer is no ExportLogsServiceResponse: \(error)")
        }
    }

    /// Reads an `ExportLogsPartialSuccess`.
    private mutating func read(_ bytes: ArraySlice<UInt8>, _ cleaned: (String) -> String) throws(ProtobufFlaw) {
        var partial = ProtobufReader(bytes)
        while let (field, value) = try partial.next() {
            switch (field, value) {
            case (1, .number(let count)):
                guard count <= UInt64(Int64.max) else {
                    throw ProtobufFlaw("fewer than zero rejected_log_records", at: 0)
                }
                rejected = Int64(count)
            case (2, .bytes(let text)):
                // Cut afterwards, because a part of a secret would not be found.
                message = String(cleaned(String(decoding: text, as: UTF8.self)).prefix(Self.maxMessage))
            default: break
            }
        }
    }
}

/// Why bytes are no response.
public struct OTLPResponseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The mistake in words, with its byte.
    public let description: String
}
