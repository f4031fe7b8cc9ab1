// Two modules declare the same C type; the compiler takes either.
import CDBus
import CSystemd
import Foundation
import SystemPackage
import Testing

@testable import JournalBridge

@Suite("The machine's id is the one that libsystemd reads")
struct MachineIDTests {
    @Test("the id of this machine")
    func machine() {
        var id = sd_id128_t()
        let theirs = sd_id128_get_machine(&id) < 0 ? nil : withUnsafeBytes(of: id) { Array($0) }
        let ours = MachineID.text
        #expect(ours == theirs?.map { String(format: "%02x", $0) }.joined())
    }

    @Test(
        "a file with anything but an id is refused",
        arguments: [
            "", "\n", "uninitialized\n", String(repeating: "0", count: 32), String(repeating: "a", count: 31),
            String(repeating: "a", count: 33), String(repeating: "g", count: 32),
            String(repeating: "a", count: 32) + "\n\n", "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa",
        ]
    )
    func refused(content: String) throws {
        let folder = try TemporaryFolder()
        try content.write(toFile: folder.path("machine-id"), atomically: true, encoding: .utf8)
        #expect(throws: Errno(rawValue: ENOMEDIUM)) { try MachineID.read(at: folder.path("machine-id")) }
    }

    @Test("a line feed at the end and capital letters are accepted", arguments: ["", "\n"])
    func taken(end: String) throws {
        let folder = try TemporaryFolder()
        let id = "00112233445566778899AABBccddeeff"
        try (id + end).write(toFile: folder.path("machine-id"), atomically: true, encoding: .utf8)
        #expect(try MachineID.read(at: folder.path("machine-id")) == id.lowercased())
    }

    @Test("a missing file is told")
    func missing() throws {
        let path = try TemporaryFolder().path("machine-id")
        #expect(throws: Errno.noSuchFileOrDirectory) { try MachineID.read(at: path) }
    }
}
