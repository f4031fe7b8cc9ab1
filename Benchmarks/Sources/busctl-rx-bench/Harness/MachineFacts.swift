import Foundation

/// The machine on which the figures were measured.
enum MachineFacts {
    static var text: String {
        var system = utsname()
        uname(&system)
        let kernel = withUnsafeBytes(of: system.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let load = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?
            .split(separator: " ").prefix(3).joined(separator: " ")
        return """
            \(ProcessInfo.processInfo.processorCount) cores (\(processor)), Linux \(kernel), Swift \(compiler), \
            load \(load ?? "unknown") at the start
            """
    }

    /// Whether others use more than a quarter of the processors, by half a second of the kernel's count.
    static func isBesideOtherWork() -> Bool {
        func ticks() -> (busy: Double, all: Double) {
            let line = (try? String(contentsOfFile: "/proc/stat", encoding: .utf8))?.split(separator: "\n").first ?? ""
            let counts = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
            guard counts.count == 8 else { return (0, 1) }
            let all = counts.reduce(0, +)
            return (all - counts[3] - counts[4], all)
        }
        let before = ticks()
        Thread.sleep(forTimeInterval: 0.5)
        let after = ticks()
        return (after.busy - before.busy) / max(1, after.all - before.all) > 0.25
    }

    private static var processor: String {
        guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("model name") }),
            let name = line.split(separator: ":").last
        else { return "unknown model" }
        return name.trimmingCharacters(in: .whitespaces)
    }

    private static var compiler: String {
        ProcessInfo.processInfo.environment["SWIFT_VERSION_TEXT"] ?? "of unknown version"
    }
}
