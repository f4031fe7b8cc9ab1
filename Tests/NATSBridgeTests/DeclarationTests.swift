import Foundation
import Testing

@Suite("The declarations of libnats")
struct DeclarationTests {
    private static let header = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/CNATS/include/CNATS.h").standardized

    private static func errors(in header: URL) throws -> String {
        let (compiler, output) = (Process(), Pipe())
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["clang", "-fsyntax-only", "-w", "-DCNATS_COMPARED", "-x", "c", header.path]
        compiler.standardError = output
        try compiler.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        return compiler.terminationStatus == 0 ? "" : text
    }

    @Test("are those of the library's header")
    func compared() throws {
        #expect(try Self.errors(in: Self.header) == "")
    }

    @Test(
        "A parameter or a number that differs is found",
        arguments: [("int64_t b", "int b"), ("(NATS_TIMEOUT, 26)", "(NATS_TIMEOUT, 27)")]
    )
    func found(right: String, wrong: String) throws {
        let changed = FileManager.default.temporaryDirectory.appending(path: "cnats-\(UUID().uuidString).h")
        defer { try? FileManager.default.removeItem(at: changed) }
        let text = try String(contentsOf: Self.header, encoding: .utf8)
        #expect(text.contains(right))
        try Data(text.replacingOccurrences(of: right, with: wrong).utf8).write(to: changed)
        #expect(try Self.errors(in: changed) != "")
    }
}
