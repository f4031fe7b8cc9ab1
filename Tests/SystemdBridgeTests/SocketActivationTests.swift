import Glibc
import Testing

@testable import SystemdBridge
import SystemPackage

@Suite("Socket activation")
struct SocketActivationTests {
    /// Consecutive descriptors, as they are passed to a process: `/dev/null` and sockets.
    private func withDescriptors(_ body: (_ first: CInt) throws -> Void) throws {
        let sources = [
            open("/dev/null", O_RDONLY), socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0),
            socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0),
        ]
        defer { for source in sources { close(source) } }
        // Three consecutive free numbers. Other tests open descriptors meanwhile.
        var from: CInt = 600
        while true {
            var numbers: [CInt] = []
            for source in sources { numbers.append(fcntl(source, F_DUPFD, (numbers.last ?? from - 1) + 1)) }
            defer { for number in numbers { close(number) } }
            let first = numbers[0]
            try #require(numbers.allSatisfy { $0 >= 0 })
            if numbers == [first, first + 1, first + 2] { return try body(first) }
            from = numbers[2] + 1
        }
    }

    private func take(_ variables: [String: String], from first: CInt = 3) throws(ActivationError)
        -> [ActivatedDescriptor]
    {
        try SocketActivation.take(announcedIn: Environment(variables), to: 100, from: first)
    }

    @Test func none() throws {
        #expect(try take([:]) == [])
        #expect(try take(["LISTEN_FDS": "3"]) == [])
        #expect(try take(["LISTEN_PID": "99", "LISTEN_FDS": "3"]) == [], "meant for another process")
        #expect(try take(["LISTEN_PID": "100", "LISTEN_FDS": "0"]) == [])
    }

    @Test(arguments: [
        (["LISTEN_PID": "me", "LISTEN_FDS": "1"], "LISTEN_PID"),
        (["LISTEN_PID": "100", "LISTEN_FDS": "many"], "LISTEN_FDS"),
        (["LISTEN_PID": "100", "LISTEN_FDS": "-1"], "LISTEN_FDS"),
        (["LISTEN_PID": "100", "LISTEN_FDS": "2147483647"], "LISTEN_FDS"),
        (["LISTEN_PID": "100", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "one"], "LISTEN_FDNAMES"),
    ])
    func malformed(_ variables: [String: String], _ variable: String) {
        let error = #expect(throws: ActivationError.self) { try take(variables) }
        #expect(error == .malformed(variable: variable, value: variables[variable] ?? ""))
    }

    @Test("Each descriptor is named, checked, and not inherited by children")
    func taken() throws {
        try withDescriptors { first in
            let variables = ["LISTEN_PID": "100", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "null:web:"]
            let taken = try take(variables, from: first)
            #expect(taken.map(\.descriptor.rawValue) == [first, first + 1, first + 2])
            #expect(taken.map(\.name) == ["null", "web", "unknown"])
            #expect(taken.map(\.kind)[0] == .device)
            for passed in taken { #expect(fcntl(passed.descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0) }

            #expect(try taken.named("unknown").socket(type: .datagram, family: AF_UNIX).rawValue == first + 2)
            let web = try taken.named("web")
            #expect(try web.socket(type: .stream).rawValue == first + 1)
            #expect(throws: ActivationError.self) { try web.socket(type: .sequencedPacket) }
            let error = #expect(throws: ActivationError.self) { try web.listener() }
            #expect(
                error.map { "\($0)" }
                    == "cannot use the descriptor \"web\": a Unix stream socket that listens is needed, and it is "
                    + "a Unix stream socket; see the .socket unit"
            )
            #expect(throws: ActivationError.missing(name: "x", present: ["null", "web", "unknown"])) {
                try taken.named("x")
            }
        }
    }

    @Test(
        "A descriptor that is announced but missing is named, however many are announced",
        arguments: ["1", "2146000000"]
    )
    func missing(count: String) {
        let error = #expect(throws: ActivationError.self) {
            try take(["LISTEN_PID": "100", "LISTEN_FDS": count], from: 1_000_000)
        }
        #expect(error == .notOpen(descriptor: FileDescriptor(rawValue: 1_000_000), errno: .badFileDescriptor))
    }
}
