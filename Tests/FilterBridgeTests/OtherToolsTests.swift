import Filter
import Foundation
import JournalBridge
import Testing

@Suite("The page for users of journalctl, grep and jq")
struct OtherToolsTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/Filter/Filter.docc/FromOtherTools.md")

    @Test("shows filters that compile")
    func compiles() throws {
        let sections = try String(contentsOf: Self.page, encoding: .utf8).components(separatedBy: "### ").dropFirst()
        var checked = 0
        for section in sections {
            for line in section.split(separator: "\n") where line.hasPrefix("|") {
                let row = line.replacing("\\|", with: "\u{1}").split(separator: "|", omittingEmptySubsequences: false)
                let cell = row[2].replacing("\u{1}", with: "|")
                let spans = cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset % 2 == 1 && $0.element != "(?i)" && $0.element != "&&" }
                for span in spans {
                    let isJSON = section.hasPrefix("jq") && !span.element.contains("priority")
                    do throws(FilterError) {
                        _ =
                            isJSON
                            ? try CompiledFilter(String(span.element), schema: JSONSchema())
                            : try CompiledFilter(String(span.element), schema: JournalSchema())
                        checked += 1
                    } catch {
                        Issue.record("\(error)")
                    }
                }
            }
        }
        #expect(checked > 35)
    }
}
