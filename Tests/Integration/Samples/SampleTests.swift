import Foundation
import Testing

/// Every Swift sample in README, the articles and the documentation comments is type-checked against the modules that
/// this test was built with. Samples that need a trait are checked in a build that has it.
@Suite("Samples in the documentation")
struct SampleTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized

    static let articles = files(in: "Sources", ending: "md") + files(in: "docs", ending: "md")
    static let sources = files(in: "Sources", ending: "swift")

    /// README, the articles, and the sources whose comments show code.
    static let documents = ([root.appending(path: "README.md")] + articles + sources)
        .filter { (try? samples(in: $0).isEmpty) == false }

    private static func files(in folder: String, ending pathExtension: String) -> [URL] {
        let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
        return (files?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { $0.pathExtension == pathExtension }
            .sorted { $0.path < $1.path }
    }

    @Test func thereAreDocumentsWithSamples() throws {
        #expect(Self.documents.contains { $0.lastPathComponent == "README.md" })
        #expect(Self.documents.contains { $0.pathExtension == "swift" })
        #expect(Self.documents.count >= 5)
    }

    @Test(arguments: documents)
    func everySampleCompiles(_ document: URL) throws {
        for (index, sample) in try Self.samples(in: document).enumerated() {
            let output = try SampleCompiler.typecheck(sample)
            #expect(output == "", "sample \(index + 1) of \(document.lastPathComponent)")
        }
    }

    @Test("README leads to files that there are")
    func linksOfREADME() throws {
        let text = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let links = text.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/).map { String($0.1) }
        #expect(links.count > 20)
        for link in links {
            #expect(FileManager.default.fileExists(atPath: Self.root.appending(path: link).path), "\(link)")
        }
    }

    private static func samples(in document: URL) throws -> [String] {
        var text = try String(contentsOf: document, encoding: .utf8)
        if document.pathExtension == "swift" {
            text = text.split(separator: "\n", omittingEmptySubsequences: false)
                .map { $0.drop { $0 == " " } }
                .filter { $0.hasPrefix("///") }
                .map { $0.dropFirst($0.hasPrefix("/// ") ? 4 : 3) }
                .joined(separator: "\n")
        }
        return text.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
            .filter { sample in !absentModules.contains { sample.contains("import \($0)\n") } }
    }

    /// Files that belong to a trait that is off.
    private static let absentModules: [String] = {
        var modules: [String] = []
        #if !Logging
            modules.append("Logging")
        #endif
        #if !ServiceLifecycle
            modules.append("LifecycleBridge")
        #endif
        #if !Metrics
            modules.append("MetricsBridge")
        #endif
        return modules
    }()
}
