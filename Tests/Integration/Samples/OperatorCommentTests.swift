import Foundation
import Testing

/// What every operator's page contains: its course over time, when it ends, how it fails, what cancelling does. What it
/// buffers and on which thread it calls back stands there if it differs from what `Bus.md` says once for all.
@Suite("Comments on operators")
struct OperatorCommentTests {
    /// Functions that make signals without being a source or an operator with its own timing.
    private static let exceptions: Set<String> = ["transduced", "eraseToAnySignal"]

    private static let sources = ["Sources/Bus", "Sources/Timers"]

    @Test("every source and operator has a marble diagram and its bullets in order, or says where they are")
    func comments() throws {
        let functions = try Self.sources.flatMap { try Self.functions(in: $0) }
        #expect(functions.count > 100, "the sources were not found, so nothing was looked at")
        for function in functions where !Self.exceptions.contains(function.name) {
            let missing = function.missing
            #expect(missing.isEmpty, "\(function.place): \(function.name) lacks \(missing.joined(separator: ", "))")
        }
    }

    @Test(
        "missing parts are detected",
        arguments: [
            ("", ["a marble diagram", "Ends", "Fails", "Cancelling"]),
            ("A word.\n```\nself --1|\n```\n- Ends: a\n- Fails: b\n- Cancelling: c", []),
            ("A word.\n```\nself --1|\n```\n- Ends: a\n- Fails: b\n- Cancelling: c\n- Buffers: d\n- Thread: e", []),
            (
                "```swift\nlet a = 1\n```\n- Ends: a\n- Fails: b\n- Cancelling: c\n- Buffers: d\n- Thread: e",
                ["a marble diagram"]
            ),
            ("```\n-1|\n```\n- Fails: b\n- Ends: a\n- Cancelling: c\n- Buffers: d\n- Thread: e", ["Fails"]),
            ("```\n-1|\n```\n- Ends: a\n- Fails: b\n- Cancelling: c\n- Thread: d\n- Buffers: e", ["Thread"]),
            (
                "```\n-1|\n```\n- Ends: a\n- Fails: b\n- Cancelling: c\n- Buffers: nothing.",
                ["a reason to say \"Buffers: nothing.\""]
            ),
            ("The same for two. See\n``Signal/merge(_:)``.", []),
        ]
    )
    func missing(_ comment: String, _ expected: [String]) {
        let function = PublicFunction(name: "f", place: "", comment: comment.components(separatedBy: "\n"))
        #expect(function.missing == expected)
    }

    private static func functions(in folder: String) throws -> [PublicFunction] {
        let root = SampleTests.root.appending(path: folder)
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?.allObjects ?? []
        return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.flatMap { file in
            let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            return lines.indices.compactMap {
                PublicFunction(lines, at: $0, in: "\(folder)/…/\(file.lastPathComponent)")
            }
        }
    }
}

/// A function that makes a signal, and the comment above it.
private struct PublicFunction {
    let name: String
    let place: String
    let comment: [String]

    init(name: String, place: String, comment: [String]) {
        self.name = name
        self.place = place
        self.comment = comment
    }

    /// The function that begins on a line; nil if none does, or if it makes no signal.
    init?(_ lines: [String], at index: Int, in file: String) {
        let words = lines[index].split(separator: " ")
        guard words.first == "public", let keyword = words.firstIndex(of: "func"), keyword + 1 < words.count,
            words[1..<keyword].allSatisfy({ ["static", "consuming", "borrowing"].contains($0) })
        else { return nil }
        let end = lines[index...].firstIndex { $0.contains("{") } ?? index
        let signature = lines[index...end].joined(separator: " ")
        guard signature.contains("-> some Signal<") || signature.contains("-> AnySignal<") else { return nil }

        var comment: [String] = []
        for line in lines[..<index].reversed() {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("///") {
                comment.insert(String(text.dropFirst(3).drop { $0 == " " }), at: 0)
            } else if !text.hasPrefix("@") && !text.hasPrefix("//") {
                break
            }
        }
        name = String(words[keyword + 1].prefix { $0.isLetter || $0 == "`" }).replacingOccurrences(of: "`", with: "")
        place = "\(file):\(index + 1)"
        self.comment = comment
    }

    /// A description of what the comment lacks.
    var missing: [String] {
        if comment.joined(separator: " ").contains("See `") { return [] }
        var missing = hasDiagram ? [] : ["a marble diagram"]
        var last = -1
        for bullet in ["Ends", "Fails", "Cancelling", "Buffers", "Thread"] {
            let place = comment.firstIndex { $0.hasPrefix("- \(bullet): ") }
            if place == nil, ["Buffers", "Thread"].contains(bullet) { continue }
            if place ?? -1 <= last { missing.append(bullet) } else { last = place ?? last }
        }
        for said in ["Buffers: nothing.", "Thread: the source's."] where comment.contains("- \(said)") {
            missing.append("a reason to say \"\(said)\"")
        }
        return missing
    }

    /// A code block that names no language, with a line that looks like a time line.
    private var hasDiagram: Bool {
        guard let start = comment.firstIndex(of: "```"),
            let end = comment[(start + 1)...].firstIndex(of: "```")
        else { return false }
        return comment[start..<end].contains { $0.contains("-") || $0.contains("|") || $0.hasSuffix("x") }
    }
}
