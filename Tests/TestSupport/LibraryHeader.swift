import Foundation

/// A header of this package that declares the functions of a library without the library's own header, and is compared with that by the
/// compiler.
package struct LibraryHeader {
    private let folder: URL
    private let file: String
    private let macro: String

    /// - Parameters:
    ///   - module: the target with the header of the same name.
    ///   - macro: has the header include that of the library.
    package init(of module: String, comparedWith macro: String) {
        folder =
            URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/\(module)/include")
            .standardized
        file = "\(module).h"
        self.macro = macro
    }

    /// What the compiler says of the header, or of one in which some text was replaced; empty if it finds no difference.
    package func errors(replacing right: String = "", with wrong: String = "") throws -> String {
        let header = folder.appending(path: file)
        if right.isEmpty { return try errors(in: header) }
        let text = try String(contentsOf: header, encoding: .utf8)
        guard text.contains(right) else { return "" }
        let changed = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).h")
        defer { try? FileManager.default.removeItem(at: changed) }
        try Data(text.replacingOccurrences(of: right, with: wrong).utf8).write(to: changed)
        return try errors(in: changed)
    }

    private func errors(in header: URL) throws -> String {
        let (compiler, output) = (Process(), Pipe())
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["clang", "-fsyntax-only", "-w", "-D\(macro)", "-I", folder.path, "-x", "c", header.path]
        compiler.standardError = output
        try compiler.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        return compiler.terminationStatus == 0 ? "" : text
    }
}
