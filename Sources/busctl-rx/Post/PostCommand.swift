import Bus
import Glibc
import TapBridge

/// `busctl-rx post TAP TOPIC VALUE`
struct PostCommand: Command {
    static let name = "post"
    static let summary = "Post a value on a topic of a running program."
    static let usage = "busctl-rx post <tap> <topic> <value>"
    static let discussion = """
        The program must serve a tap and allow posting on the topic. The value is JSON, as the topic's type is decoded from it; - reads it \
        from standard input, at most 64 KiB. The tap is the path of its socket, or a name that 'busctl-rx sources' lists.

          busctl-rx post /run/deployer.tap deploy.requested '{"service": "web", "version": 12}'

        Exit status: 0 the program has posted it, 2 usage, 3 the program cannot be reached or refuses the value.
        """

    static var operands: [CommandOperand<Self>] {
        [
            CommandOperand(name: "tap", help: "The tap: a path or a name.") {
                $0.tap = try TapArgument(argument: $1).path
            },
            CommandOperand(name: "topic", help: "The topic.") { $0.topic = $1 },
            CommandOperand(name: "value", help: "The value as JSON, or -.") { $0.value = $1 },
        ]
    }

    /// The path of its socket.
    var tap = ""
    var topic = ""
    var value = ""

    func validate() throws {
        if value.isEmpty {
            throw ValidationError("The value is empty. Write JSON, as in '{\"version\": 12}', or - for standard input.")
        }
    }

    func run() throws {
        let json = value == "-" ? try standardInput() : Array(value.utf8)
        throw try TapQuestion.ask(tap, TapClient(path: tap).post(json, to: topic), writes: false) { _ in }
    }

    /// All of standard input, unless it is longer than a tap would take.
    private func standardInput() throws -> [UInt8] {
        let limit = 64 << 10
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: limit)
        while bytes.count <= limit {
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw ValidationError("Standard input cannot be read: \(SystemError.numbered(errno)).")
            }
            bytes += buffer[..<count]
        }
        throw ValidationError("The value on standard input is longer than the \(limit) bytes that a tap takes.")
    }
}
