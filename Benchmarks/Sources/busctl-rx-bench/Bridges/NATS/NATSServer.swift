import Foundation

/// A `nats-server` on a loopback port that it chose, with a folder of its own. It is ended with this object.
final class NATSServer {
    let url: String
    private let folder: String
    private let process = Process()

    init(_ settings: Settings) throws {
        folder = settings.cache + "/nats.\(getpid())"
        do {
            try? FileManager.default.removeItem(atPath: folder)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // A queue of its own that is as large as a round, so that it drops nobody.
            try "max_pending: 1GB\nwrite_deadline: \"60s\"\n"
                .write(toFile: folder + "/conf", atomically: false, encoding: .utf8)
            process.executableURL = URL(fileURLWithPath: "/usr/sbin/nats-server")
            process.arguments = [
                "-a", "127.0.0.1", "-p", "-1", "-c", folder + "/conf", "-js", "-sd", folder, "-l", folder + "/log",
                "--ports_file_dir", folder,
            ]
            try process.run()
        } catch {
            throw Complaint("cannot start nats-server: \(error)")
        }
        // It is written once the server listens.
        let file = folder + "/nats-server_\(process.processIdentifier).ports"
        let end = ContinuousClock.now + .seconds(20)
        while true {
            if let text = try? TextFile.read(file), let start = text.range(of: "://127.0.0.1:")?.upperBound,
                let port = Int(text[start...].prefix { $0.isNumber }), text.hasSuffix("}")
            {
                url = "nats://127.0.0.1:\(port)"
                return
            }
            guard process.isRunning, ContinuousClock.now < end else { throw Complaint("nats-server did not start") }
            usleep(2000)
        }
    }

    deinit {
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(atPath: folder)
    }
}
