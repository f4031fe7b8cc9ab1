import Foundation

/// What the figures were taken on.
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
