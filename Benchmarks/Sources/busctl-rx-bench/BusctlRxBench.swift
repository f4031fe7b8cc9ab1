import Foundation

/// Measures the package beside what it competes with, and says which bounds are kept.
@main
struct BusctlRxBench {
    static func main() {
        do {
            exit(try run() ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("busctl-rx-bench: \(error)\n".utf8))
            exit(2)
        }
    }

    /// Whether every enforced bound was kept.
    private static func run() throws -> Bool {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let settings = try Settings(
            arguments: Array(CommandLine.arguments.dropFirst()),
            environment: ProcessInfo.processInfo.environment,
            programDirectory: program.deletingLastPathComponent().path
        )
        if settings.listsNames {
            print(Benchmark.all.map(\.name).joined(separator: "\n"))
            return true
        }
        let facts = MachineFacts.text
        var report = Report()
        for benchmark in try chosen(settings) {
            FileHandle.standardError.write(Data("\(benchmark.name)…\n".utf8))
            try benchmark.run(settings, &report)
        }
        print("\(facts)\n\n\(report.text)")
        return !report.isBroken
    }

    private static func chosen(_ settings: Settings) throws -> [Benchmark] {
        guard !settings.only.isEmpty else { return Benchmark.all }
        return try settings.only.map { name in
            guard let benchmark = Benchmark.all.first(where: { $0.name == name }) else {
                let known = Benchmark.all.map(\.name).joined(separator: ", ")
                throw Complaint("no benchmark is called \"\(name)\"; there are \(known)")
            }
            return benchmark
        }
    }
}
