import Bus
import BusTesting
import FilterBridge
import Glibc
import Records
import TestSupport
import Testing

@testable import RecordSources

/// An HTTP server that gives one answer.
private struct OneAnswer {
    struct Failure: Error {}

    let port: UInt16
    let thread: TestThread

    init(_ body: [UInt8]) throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 1) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw Failure() }
        port = UInt16(bigEndian: address.sin_port)
        thread = try TestThread {
            let client = accept(listener, nil, nil)
            var request = [UInt8](repeating: 0, count: 4096)
            _ = recv(client, &request, request.count, 0)
            var rest = (Array("HTTP/1.0 200 OK\r\n\r\n".utf8) + body)[...]
            while !rest.isEmpty, case let count = send(client, Array(rest), rest.count, CInt(MSG_NOSIGNAL)),
                count > 0
            { rest.removeFirst(count) }
            close(client)
            close(listener)
        }
    }
}

@Suite("Places in the journal of another machine", .enabled(if: ProgramPath.exists("curl"), "needs curl"))
struct RemotePlacesTests {
    private static let id = "0123456789abcdef0123456789abcdef"

    private static func cursor(_ number: Int) -> String {
        let hex = String(number, radix: 16)
        return "s=\(id);i=\(hex);b=\(id);m=\(hex);t=\(hex);x=1"
    }

    private static func entry(_ number: Int, _ message: String) -> String {
        """
        __CURSOR=\(cursor(number))
        __REALTIME_TIMESTAMP=\(number)
        __MONOTONIC_TIMESTAMP=\(number)
        _BOOT_ID=\(id)
        MESSAGE=\(message)


        """
    }

    @Test("the place also moves over entries that the filter does not select", arguments: [true, false])
    func passed(isAsked: Bool) throws {
        let entries = (1...600).map { Self.entry($0, $0 == 10 ? "wanted" : "other") }
        let answer = try OneAnswer(Array(entries.joined().utf8))
        var request = SourceRequest(name: "web")
        request.filter = try RecordFilter("message == 'wanted'", sources: [("web", .journal)])
        request.start = .all
        request.follows = false
        request.tellsPlaces = isAsked
        let recorder = Recorder(try RemoteRecords(word: "http", operand: "//127.0.0.1:\(answer.port)").items(request))
        recorder.waitForEnd()
        answer.thread.wait()
        let items = recorder.values.map { item in
            switch item {
            case .record(let record): record.message ?? ""
            case .place(let cursor): cursor
            case .caughtUp: "caught up"
            }
        }
        let places = isAsked ? [10, 265, 521, 600].map(Self.cursor) : []
        #expect(items == ["wanted"] + places + ["caught up"])
    }
}
