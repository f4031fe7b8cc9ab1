import Foundation

/// Measures the package against its competitors, and reports which bounds are kept.
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
        if try isPart(CommandLine.arguments.dropFirst()) { return true }
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        var settings = try Settings(
            arguments: Array(CommandLine.arguments.dropFirst()),
            environment: ProcessInfo.processInfo.environment,
            programDirectory: program.deletingLastPathComponent().path
        )
        if settings.listsNames {
            print(Benchmark.all.map(\.name).joined(separator: "\n"))
            return true
        }
        settings.isBesideOtherWork = MachineFacts.isBesideOtherWork()
        let beside =
            settings.isBesideOtherWork
            ? "\nBeside other work: what a process takes by the wall's clock is shown and not judged." : ""
        let facts = MachineFacts.text + beside
        var report = Report()
        for benchmark in try chosen(settings) {
            FileHandle.standardError.write(Data("\(benchmark.name)…\n".utf8))
            try benchmark.run(settings, &report)
        }
        print("\(facts)\n\n\(report.text)")
        return !report.isBroken
    }

    /// Whether this process was only started for part of a measurement, which it has done.
    private static func isPart(_ arguments: ArraySlice<String>) throws -> Bool {
        switch arguments.first {
        case TapWatcherProcess.argument: try TapWatcherProcess.run(Array(arguments.dropFirst()))
        case TapStrangersProcess.argument: try TapStrangersProcess.run(Array(arguments.dropFirst()))
        case NATSSenderProcess.argument: try NATSSenderProcess.run(Array(arguments.dropFirst()))
        case UnwatchedPosts.argument: try UnwatchedPosts.run(Array(arguments.dropFirst()))
        default: return false
        }
        return true
    }

    private static func chosen(_ settings: Settings) throws -> [Benchmark] {
        guard !settings.only.isEmpty else { return Benchmark.all }
        for name in settings.only where !Benchmark.all.contains(where: { $0.name == name }) {
            let known = Benchmark.all.map(\.name).joined(separator: ", ")
            throw Complaint("no benchmark is called \"\(name)\"; there are \(known)")
        }
        // In the order of the list. `os-signals` comes before the groups that start threads, because its signals would
        // kill those.
        return Benchmark.all.filter { settings.only.contains($0.name) }
    }
}
