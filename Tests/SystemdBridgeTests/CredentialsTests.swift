import Foundation
import Testing

@testable import SystemdBridge
import SystemPackage

@Suite("Credentials")
struct CredentialsTests {
    private func withDirectory(_ body: (Credentials, String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "credentials-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(Credentials(directory: path), path)
    }

    @Test func reading() throws {
        try withDirectory { credentials, path in
            try Data([1, 0, 255]).write(to: URL(filePath: path + "/token"))
            #expect(try credentials.read("token") == [1, 0, 255])
            #expect(try credentials.read("token", limit: 3).count == 3)
            #expect(throws: CredentialError.tooLarge(name: "token", size: 3, limit: 2)) {
                try credentials.read("token", limit: 2)
            }
            try Data("secret".utf8).write(to: URL(filePath: path + "/text"))
            #expect(try credentials.text("text") == "secret")
            let error = #expect(throws: CredentialError.self) { try credentials.read("none") }
            #expect(error == .system(operation: "open", path: path + "/none", errno: .noSuchFileOrDirectory))
        }
    }

    @Test(arguments: [
        "", ".", "..", "../token", "a/b", "/etc/passwd", "a:b", "a\nb", "ä", String(repeating: "x", count: 256),
    ])
    func aNameIsNoPath(_ name: String) throws {
        try withDirectory { credentials, _ in
            #expect(throws: CredentialError.invalidName(name)) { try credentials.read(name) }
        }
    }

    @Test("Only plain files are read: no link out of the directory, and no pipe, which would block")
    func kinds() throws {
        try withDirectory { credentials, path in
            try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: "/etc/hostname")
            #expect(mkfifo(path + "/pipe", 0o600) == 0)
            #expect(mkdir(path + "/folder", 0o700) == 0)
            for name in ["link", "pipe", "folder"] {
                #expect(throws: CredentialError.notAFile(path: "\(path)/\(name)")) { try credentials.read(name) }
            }
        }
    }

    @Test func withoutADirectory() {
        let error = #expect(throws: CredentialError.self) { try Credentials().read("token") }
        #expect(error == CredentialError.none(name: "token"))
        #expect(error.map { "\($0)" }?.contains("$CREDENTIALS_DIRECTORY is not set") == true)
    }
}
