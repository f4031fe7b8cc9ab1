/// An entry to be written. The caller chooses everything in it.
package struct JournalFileEntry: Sendable {
    package var sequence: UInt64
    package var realtime: UInt64
    package var monotonic: UInt64
    package var boot: ID128
    /// Each `NAME=value`, at least one, in the order in which they are submitted.
    package var fields: [[UInt8]] { didSet { checksum = Self.checksum(of: fields) } }
    /// The exclusive or of the hashes of all submitted fields, including repeated ones; always by lookup3.
    package private(set) var checksum: UInt64

    package init(sequence: UInt64, realtime: UInt64, monotonic: UInt64, boot: ID128, fields: [[UInt8]]) {
        self.sequence = sequence
        self.realtime = realtime
        self.monotonic = monotonic
        self.boot = boot
        self.fields = fields
        checksum = Self.checksum(of: fields)
    }

    private static func checksum(of fields: [[UInt8]]) -> UInt64 { fields.reduce(0) { $0 ^ PayloadHash.lookup3($1) } }

    /// The cursor that libsystemd gives the entry in a file of that sequence.
    package func cursor(in sequenceID: ID128) -> String {
        let numbers = [("m", monotonic), ("t", realtime), ("x", checksum)].map { "\($0)=" + String($1, radix: 16) }
        return (["s=\(sequenceID)", "i=" + String(sequence, radix: 16), "b=\(boot)"] + numbers).joined(separator: ";")
    }
}
