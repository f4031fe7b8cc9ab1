import TestSupport
import Testing

@testable import JournalBridge

@Suite("The journal export format")
struct JournalExportTests {
    /// Reads in pieces of that size. Returns the entries, and the error at the end.
    private func read(_ bytes: [UInt8], pieces: Int = 1 << 16) throws -> (
        entries: [JournalEntry], error: ExportFormatError?
    ) {
        let export = try ReadExport(bytes, pieces: pieces)
        #expect(export.skipped == [])
        return (export.entries, export.error)
    }

    private func binary(_ name: String, _ value: [UInt8], length: UInt64? = nil) -> [UInt8] {
        ReadExport.binary(name, value, length: length)
    }

    @Test("text, binary, empty and repeated fields, in pieces of any size", arguments: [1, 2, 3, 8, 65536])
    func fields(pieces: Int) throws {
        let head =
            "\n\n__CURSOR=c\n__REALTIME_TIMESTAMP=5\n__MONOTONIC_TIMESTAMP=6\n__SEQNUM=1\n_BOOT_ID=b\nMESSAGE=a=b\nA=\nA=2\n"
        let bytes =
            Array(head.utf8) + binary("B", [0x0A, 0x0A, 0, 0xFF]) + binary("C", []) + [0x0A]
            + Array("MESSAGE=last".utf8) + [0x0A]
        let (entries, error) = try read(bytes, pieces: pieces)
        #expect(error == nil)
        #expect(entries.map { $0["MESSAGE"] } == ["a=b", "last"])
        let entry = try #require(entries.first)
        #expect(entry.cursor == "c")
        #expect((entry.realtime, entry.monotonic) == (5, .microseconds(6)))
        #expect(entry.bootID == "b")
        #expect(entry.values(of: "A") == [[], [0x32]])
        #expect(entry.bytes(of: "B") == [0x0A, 0x0A, 0, 0xFF])
        #expect(entry.bytes(of: "C") == [])
        #expect(entry.fields.map(\.name) == ["_BOOT_ID", "MESSAGE", "A", "A", "B", "C"])
        #expect(entries.last?.cursor == "")
    }

    @Test(
        "an enormous length is refused without waiting for it or allocating memory",
        arguments: [UInt64.max, 1 << 62, 1 << 30]
    )
    func hugeLength(length: UInt64) throws {
        let bytes = Array("MESSAGE=fine\n\n".utf8) + binary("BLOB", [1, 2, 3], length: length)
        let (entries, error) = try read(bytes)
        #expect(entries.map { $0["MESSAGE"] } == ["fine"])
        #expect(error?.line == 3)
        #expect(error?.byteOffset == 19)
        #expect(error?.description.contains("BLOB claims to be \(length) bytes") == true)
    }

    @Test("a wrong length is noticed at the missing line feed")
    func wrongLength() throws {
        let error = try read(binary("BLOB", [1, 2, 3, 4], length: 2)).error
        #expect(error?.byteOffset == 15)
        #expect(error?.description.contains("a line feed was expected after the 2 bytes of the field BLOB") == true)
    }

    @Test(
        "an invalid field is refused at its place",
        arguments: [
            "hello world\n", "{\"MESSAGE\":\"x\"}\n", "\u{1}\u{2}\n", "Nov 21 02:28:00 host sshd[12]: Accepted\nNov 21",
            "hello\n1234567",
        ]
    )
    func noField(text: String) throws {
        for pieces in [1, 7, 1 << 16] {
            let (entries, error) = try read(Array("MESSAGE=1\n\nMESSAGE=2\n\n".utf8) + Array(text.utf8), pieces: pieces)
            #expect(entries.count == 2)
            #expect(error?.line == 5)
            #expect(error?.byteOffset == 22)
            #expect(error?.description.contains("a field was expected") == true)
        }
    }

    @Test("a line that is no field is refused, whatever follows it", arguments: [1, 7, 1 << 16])
    func noFieldBeforeOne(pieces: Int) throws {
        let error = try read(Array("garbage\nMESSAGE=hello\n\n".utf8), pieces: pieces).error
        #expect(error?.line == 1 && error?.byteOffset == 0)
        #expect(error?.description.contains(#"found "garbage""#) == true)
    }

    @Test("a stream that ends inside a field is reported, after everything before it was delivered")
    func truncated() throws {
        let whole = Array("MESSAGE=1\n\n".utf8) + binary("B", [1, 2, 3]) + Array("C=x\n".utf8)
        for length in 12..<whole.count {
            let (entries, error) = try read(Array(whole[..<length]))
            let isAtFieldEnd = length == whole.count - 4
            #expect(entries.count == (isAtFieldEnd ? 2 : 1))
            #expect((error == nil) == isAtFieldEnd, "\(length)")
        }
    }

    @Test("an empty stream is no error")
    func empty() throws {
        let (entries, error) = try read([])
        #expect(entries.isEmpty && error == nil)
    }
}
