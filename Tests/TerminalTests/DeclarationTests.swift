import Foundation
import Testing

@Suite("The declarations of libncursesw")
struct DeclarationTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/CNcurses/include").standardized
    private static let header = folder.appending(path: "CNcurses.h")

    private static func errors(in header: URL) throws -> String {
        let (compiler, output) = (Process(), Pipe())
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = [
            "clang", "-fsyntax-only", "-w", "-DCNCURSES_COMPARED", "-I", folder.path, "-x", "c", header.path,
        ]
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
        arguments: [
            ("newpad, (int a, int b)", "newpad, (int a, short b)"), ("(KEY_END, 360)", "(KEY_END, 361)"),
            ("sizeof(cchar_t) == 28", "sizeof(cchar_t) == 24"),
        ]
    )
    func found(right: String, wrong: String) throws {
        let changed = FileManager.default.temporaryDirectory.appending(path: "cncurses-\(UUID().uuidString).h")
        defer { try? FileManager.default.removeItem(at: changed) }
        let text = try String(contentsOf: Self.header, encoding: .utf8)
        #expect(text.contains(right))
        try Data(text.replacingOccurrences(of: right, with: wrong).utf8).write(to: changed)
        #expect(try Self.errors(in: changed) != "")
    }
}
