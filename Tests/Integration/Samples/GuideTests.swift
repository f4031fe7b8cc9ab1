import Foundation
import Testing

/// The guides for users of other libraries, and the one to the bridges, mention names, and each must exist.
@Suite("Guides")
struct GuideTests {
    static let guides = SampleTests.articles.filter {
        $0.lastPathComponent.hasPrefix("ComingFrom") || $0.lastPathComponent == "ChooseABridge.md"
    }

    /// The names of everything declared in the sources, without qualification.
    static let declared: Set<String> = {
        var names: Set<String> = []
        let declaration = /\b(?:func|var|let|struct|class|enum|protocol|case|typealias|actor)\s+`?(\w+)/
        for file in SampleTests.sources {
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            for match in text.matches(of: declaration) { names.insert(String(match.1)) }
        }
        return names
    }()

    /// Names from Swift and its libraries, and keywords of the language.
    static let others: Set<String> = [
        "Sequence", "lazy", "Optional", "Void", "DispatchQueue", "main", "defer", "weak", "self", "NotificationCenter",
        "for", "try", "await", "sequence", "repeatElement", "x", "value", "on", "if", "switch",
        "Timers", "BusTesting", "DispatchBridge", "LoggingBridge",
    ]

    @Test func thereAreGuides() {
        #expect(Self.guides.count == 7)
    }

    @Test(arguments: guides)
    func everyNameExists(_ guide: URL) throws {
        let rows = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| ") }
        #expect(rows.count > 10)
        var found = 0
        for row in rows.dropFirst() {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count > 2 else { continue }
            // If the cell says "the same", the name is in the first cell.
            let cell = cells[2].contains("the same") ? cells[1] : cells[2]
            for code in cell.matches(of: /`([^`]+)`/) {
                // Names without the labels and closures in their parentheses and braces.
                let bare = code.1.replacing(/\([^)]*\)|\{[^}]*\}/, with: "")
                for name in bare.matches(of: /\w+/) where name.0.first?.isNumber == false {
                    found += 1
                    let exists = Self.declared.contains(String(name.0)) || Self.others.contains(String(name.0))
                    #expect(exists, "\(name.0) in: \(row)")
                }
            }
        }
        #expect(found > 10, "the names were not found, so nothing was looked at")
    }
}
