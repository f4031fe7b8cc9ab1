import Foundation
import NATSFloor

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

/// A connection of bare libnats.
struct BareNATS {
    let connection: UnsafeMutableRawPointer

    init(_ server: NATSServer) throws {
        var connection: UnsafeMutableRawPointer?
        try Self.check(nats_floor_connect(&connection, server.url), "connect")
        guard let connection else { throw Complaint("libnats made no connection") }
        self.connection = connection
    }

    static func check(_ status: CInt, _ what: String) throws {
        if status != 0 { throw Complaint("libnats cannot \(what): status \(status)") }
    }

    func publish(_ count: Int, of size: Int, to subject: String) throws {
        try Self.check(nats_floor_publish(connection, subject, CInt(size), Int64(count)), "publish")
    }

    func store(_ count: Int, of size: Int, to subject: String, pending: Int) throws {
        let status = nats_floor_store(connection, subject, CInt(size), Int64(count), Int64(pending))
        try Self.check(status, "store messages")
    }

    func makeStream(_ name: String, of subject: String, keeping most: Int) throws {
        try Self.check(nats_floor_stream(connection, name, subject, Int64(most)), "make a stream")
    }

    /// Calls `ask`, which lets messages be sent, and returns the sum of their numbers.
    func hear(_ count: Int, on subject: String, _ ask: () throws -> Void) throws -> UInt64 {
        var listener: UnsafeMutableRawPointer?
        try Self.check(nats_floor_listen(&listener, connection, subject), "subscribe")
        try ask()
        var sum: UInt64 = 0
        try Self.check(nats_floor_hear(listener, Int64(count), &sum), "end a subscription")
        return sum
    }

    func ask(for count: Int, on subject: String) throws {
        try Self.check(nats_floor_ask(connection, subject, Int64(count)), "ask for messages")
    }
}

/// A process that publishes messages as bare libnats does, whenever it is asked.
enum NATSSenderProcess {
    /// The first argument of such a process. The server's address, the subject and the size of a message follow.
    static let argument = "--nats-sender"

    static func run(_ arguments: [String]) throws {
        guard arguments.count == 3, let size = CInt(arguments[2]), size >= 8 else {
            throw Complaint("\(argument) needs an address, a subject and a size")
        }
        try BareNATS.check(nats_floor_serve(arguments[0], arguments[1], size), "publish")
    }
}
