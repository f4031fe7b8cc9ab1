import Bus
import Foundation
import Records
import SystemPackage
import TestSupport
import Testing

@testable import Forwarding

@Suite("What a receiver says, and where a record stays that it refuses")
struct OTLPFailureTests {
    private static let secret = String(repeating: "s3cret", count: 50)

    private static func verdict(_ result: Result<HTTPClient.Answer, HTTPClient.Failure>) -> OTLPVerdict {
        OTLPVerdict(result, from: "http://receiver") { $0.replacing(secret, with: "…") }
    }

    @Test("a secret that a receiver repeats is shown nowhere, and no part of it", arguments: [401, 400, 503])
    func secrets(status: Int) {
        let body = Array("\(String(repeating: "x", count: 100)) '\(Self.secret)' is no token".utf8)
        let verdict = Self.verdict(.success(HTTPClient.Answer(status: status, retryAfter: .zero, body: body)))
        let text = "\(verdict)"
        #expect(text.contains("answers \(status)") && text.contains("is no token") && !text.contains("s3cret"))
    }

    @Test("nor in what it says of records that it has rejected")
    func partial() throws {
        let words = String(repeating: "x", count: OTLPResponse.maxMessage - 10) + Self.secret
        var (success, response) = (ProtobufWriter(), ProtobufWriter())
        success.write(3, field: 1)
        success.write(Array(words.utf8), field: 2)
        response.write(success.bytes, field: 1)
        guard
            case .taken(let taken) = Self.verdict(
                .success(HTTPClient.Answer(status: 200, retryAfter: .zero, body: response.bytes))
            )
        else {
            Issue.record("not taken")
            return
        }
        #expect(taken.rejected == 3 && taken.message.hasSuffix("x…"))
    }

    @Test("a certificate that is being renewed is waited for", arguments: [58, 60, 77] as [Int32])
    func certificates(code: Int32) {
        guard case .failed(let failure) = Self.verdict(.failure(HTTPClient.Failure(description: "no", code: code)))
        else {
            Issue.record("not failed")
            return
        }
        #expect(failure.verdict == .waitIfKnown)
    }

    @Test(
        "the password of a proxy that libcurl does not understand, or support, is not shown",
        .enabled(if: HTTPClient.loadFailure == nil, "needs libcurl4 and libdeflate0"),
        arguments: ["http://user:pa#ss@127.0.0.1:1", "ftp://user:pass@127.0.0.1:1"]
    )
    func proxy(address: String) async {
        var settings = HTTPClient.Settings(url: "http://127.0.0.1:1/")
        settings.proxy = address
        let client = HTTPClient(settings, on: ThreadScheduler(name: "busctl-http")) { _ in }
        guard case .failure(let failure) = await client.send([], headers: []) else {
            Issue.record("it was sent")
            return
        }
        #expect(!failure.description.contains("ss@") && !failure.description.isEmpty, "\(failure)")
        client.close()
    }

    @Test("a record that is refused at each attempt is written once")
    func letters() async throws {
        let folder = try TestFolder()
        let path = folder.file("refused").string
        let letters = DeadLetters(path: path, maxPending: 2)
        func append(_ cursors: String...) async throws -> Int {
            let new = letters.new(of: cursors.map { DeadLetters.Letter(cursor: $0, reason: "no", request: [1]) })
            try await letters.append(new)
            return new.count
        }
        #expect(try await append("a", "b") == 2)
        #expect(try await append("b", "c") == 1)
        #expect(try await append("b", "c") == 0)
        #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 3)
        #expect(try await append("a") == 1, "so many are kept as may be pending")
    }

    @Test("a device without a disk behind it may be the file")
    func device() async throws {
        let letter = DeadLetters.Letter(cursor: "a", reason: "no", request: [1])
        try await DeadLetters(path: "/dev/null", maxPending: 2).append([letter])
    }

    @Test("as many refused records are known again as can be behind the place, however small")
    func window() async throws {
        let folder = try TestFolder()
        let file = folder.file("refused").string
        let sink = OTLPSink(try OTLPAddress("otlp+http://127.0.0.1:1"), refusedTo: file) { _ in }
        let record = Record(source: "", time: 1, sequence: 1, content: try #require(JSONObject(Array("{}".utf8))))
        var logs = OTLPLogs()
        logs.append(record, id: "run=1700000000000000.1;n=10000")
        let first = logs.maxSize
        logs.append(record, id: "run=1700000000000000.1;n=10001")
        let size = logs.maxSize - first
        #expect(size >= OTLPRecord.minSize)
        let letters = (0..<sink.maxBytes / size).map { number in
            DeadLetters.Letter(cursor: "\(number)", reason: "no", request: [])
        }
        #expect(letters.count > 10_000)
        try await sink.deadLetters.append(letters)
        #expect(sink.deadLetters.new(of: letters).count == 0)
    }

    @Test("an attribute's name is text, whatever a line says")
    func keys() throws {
        var writer = ProtobufWriter()
        let (name, value) = ([UInt8(ascii: "c"), 0xE9], Array("1".utf8))
        name.withUnsafeBytes { name in
            value.withUnsafeBytes { writer.write(attribute: name, value: $0, field: 6) }
        }
        var message = ProtobufReader(writer.bytes[...])
        guard case (6, .bytes(let attribute))? = try message.next() else {
            Issue.record("no attribute")
            return
        }
        var reader = ProtobufReader(attribute)
        guard case (1, .bytes(let key))? = try reader.next() else {
            Issue.record("no key")
            return
        }
        #expect(Array(key) == Array("c\u{FFFD}".utf8))
        #expect(try message.next() == nil)
    }
}
