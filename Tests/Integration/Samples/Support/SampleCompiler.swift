import Foundation

/// Type-checks code against the modules that this test was built with.
enum SampleCompiler {
    /// The compiler's errors; nothing if there are none.
    static func typecheck(_ sample: String) throws -> String {
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
            SampleTests.root.appending(path: "Sources/CCompression"),
            SampleTests.root.appending(path: "Sources/CSystemd"),
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
