import Foundation
import Testing

@testable import Filter

/// The examples of the language's page are tested.
@Suite struct DocumentationTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/Filter/Filter.docc/Language.md")

    /// The examples in the second columns of the tables from "Conversions" on, and the text around them.
    private static func examples() throws -> [String] {
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "## Operators"))
        let end = try #require(text.range(of: "## What is not CEL"))
        return text[start.lowerBound..<end.lowerBound].split(separator: "\n").flatMap { line -> [String] in
            let row = line.replacing("\\|", with: "\u{1}").split(separator: "|", omittingEmptySubsequences: false)
            let cells = row.count > 2 ? row[2...].joined(separator: "|") : String(line)
            return spans(cells.replacing("\u{1}", with: "|")).filter { $0.contains("(") || $0.contains(" == ") }
        }
    }

    /// Code is between single backticks.
    private static func spans(_ text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
    }

    @Test func `every example of the language's page is true`() throws {
        var checked = 0
        for example in try Self.examples() {
            // Names of functions, and what a text says of an expression that is refused.
            if ["1 == \"1\"", "priority == \"err\"", "not priority == 3"].contains(example) { continue }
            do throws(FilterError) {
                let filter = try compile(example)
                guard case .matched = filter.evaluate(SampleRecord(priority: 3)) else {
                    if example != "dyn(1) == \"1\"" { Issue.record("\(example): \(filter.evaluate(SampleRecord()))") }
                    continue
                }
                checked += 1
            } catch {
                Issue.record("\(error)")
            }
        }
        #expect(checked > 110)
    }

    @Test func `every function and macro is on the page`() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        for name in Function.all.map(\.name) + Checker.macroNames + ["has", "fields", "cel.bind"] {
            #expect(text.contains("\(name)`") || text.contains("\(name)("), "\(name)")
        }
    }
}
