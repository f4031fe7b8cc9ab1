import Foundation
import Testing

/// Every Swift sample in README, the articles and the documentation comments is type-checked against the modules that
/// this test was built with. Samples that need a trait are checked in a build that has it.
@Suite("Samples in the documentation")
struct SampleTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized

    static let articles = files(ending: "md")
    static let sources = files(ending: "swift")

    /// README, the articles, and the sources whose comments show code.
    static let documents = ([root.appending(path: "README.md")] + articles + sources)
        .filter { (try? samples(in: $0).isEmpty) == false }

    private static func files(ending pathExtension: String) -> [URL] {
        let files = FileManager.default.enumerator(at: root.appending(path: "Sources"), includingPropertiesForKeys: nil)
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
            let output = try Self.typecheck(sample)
            #expect(output == "", "sample \(index + 1) of \(document.lastPathComponent)")
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
        #if !NATS
            modules.append("NATSBridge")
        #endif
        return modules
    }()

    /// The compiler's errors; nothing if there are none.
    private static func typecheck(_ sample: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sample-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "main.swift")
        try sample.write(to: file, atomically: true, encoding: .utf8)

        let options = try sample.contains("import PackageDescription\n") ? manifestOptions.get() : searchPaths.get()
        let end = try compile(["-typecheck", "-swift-version", "6", "-warnings-as-errors", file.path] + options)
        return end.status == 0 ? "" : end.output
    }

    /// Runs the compiler.
    private static func compile(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["swiftc"] + arguments
        let pipe = Pipe()
        compiler.standardOutput = pipe
        compiler.standardError = pipe
        try compiler.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        compiler.waitUntilExit()
        return (compiler.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    /// How the compiler reads a package's manifest.
    private static let manifestOptions = Result {
        struct Target: Decodable {
            struct Paths: Decodable { let runtimeResourcePath: String }
            let paths: Paths
        }
        let target = try JSONDecoder().decode(Target.self, from: Data(compile(["-print-target-info"]).output.utf8))
        return ["-I", "\(target.paths.runtimeResourcePath)/pm/ManifestAPI", "-package-description-version", "6.2"]
    }

    /// Where the compiler finds the modules. Finding this out takes long.
    private static let searchPaths = Result {
        let modules = try builtModules()
        return ["-I", modules.path] + moduleMaps(beside: modules).flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
    }

    /// Where the C modules are described: generated next to the build products, or written in the packages.
    private static func moduleMaps(beside modules: URL) -> [URL] {
        let products = modules.deletingLastPathComponent()
        let folders = [
            products, products.appending(path: "../../checkouts").standardized,
            root.appending(path: "Sources/CCompression"), root.appending(path: "Sources/CSystemd"),
            root.appending(path: "Sources/CNATS"),
        ]
        return folders.flatMap { folder in
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            let maps = (files?.allObjects ?? []).compactMap { $0 as? URL }.filter {
                $0.lastPathComponent == "module.modulemap"
            }
            // Swift modules have their own header for C, which is not the missing one.
            return maps.filter { !$0.path.contains(".build/include/") && !$0.path.contains("-tool.build/") }
        }
    }

    /// The folder of built modules, next to the test bundle.
    private static func builtModules() throws -> URL {
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let arguments = [bundle] + CommandLine.arguments
        for path in arguments {
            let candidate = URL(filePath: path).deletingLastPathComponent().appending(path: "Modules")
            if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
