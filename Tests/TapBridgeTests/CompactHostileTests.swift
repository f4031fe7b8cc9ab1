import Bus
import TestSupport
import Testing

@testable import TapBridge

@Suite("Malicious frames")
struct CompactHostileTests {
    private static func frame(_ content: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(content.count).littleEndian) { Array($0) } + content
    }

    private static func names(_ number: UInt32, _ text: String = #"{"topic":"a"}"#) -> [UInt8] {
        frame([1] + withUnsafeBytes(of: number.littleEndian) { Array($0) } + Array(text.utf8))
    }

    private static func event(_ number: UInt32, _ text: String = #"{"value":1}"#) -> [UInt8] {
        frame(
            [2] + withUnsafeBytes(of: number.littleEndian) { Array($0) } + [UInt8](repeating: 1, count: 24) + text.utf8
        )
    }

    private func reason(_ bytes: [UInt8]) -> String? {
        var reader = CompactReader()
        reader.append(bytes)
        do throws(CompactReader.Malformed) {
            while try reader.next() != nil {}
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("Each is refused with its reason")
    func refused() {
        #expect(reason([0, 0, 0, 0]) == "a frame is empty")
        #expect(reason([1, 0, 0, 1]) == "a frame has 16777217 bytes")
        #expect(reason([255, 255, 255, 255]) == "a frame has 4294967295 bytes")
        #expect(reason(Self.frame([9])) == "a frame is of the unknown kind 9")
        #expect(reason(Self.frame([1, 0])) == "a frame of names is too short")
        #expect(reason(Self.names(1)) == "the names number 1 follow 0 names")
        #expect(reason(Self.names(0) + Self.names(2)) == "the names number 2 follow 1 names")
        #expect(reason(Self.names(0, "[]")) == "names are no JSON object")
        #expect(reason(Self.names(0) + Self.event(1)) == "an event has the unknown names number 1")
        #expect(reason(Self.event(0)) == "an event has the unknown names number 0")
        #expect(reason(Self.names(0) + Self.event(0, "{")) == "the content of an event is no JSON object")
        #expect(reason(Self.frame([2, 0, 0, 0, 0, 1])) == "a frame of an event is too short")
        #expect(
            reason(Self.names(0, "{\"topic\":\"\(String(repeating: "x", count: 1 << 20))\"}"))
                == "the names are too long"
        )
        var many: [UInt8] = []
        for number in 0...UInt32(CompactFrame.namesLimit) { many += Self.names(number) }
        #expect(reason(many) == "the names number 4096 follow 4096 names")
        #expect(reason(Self.names(0) + Self.event(0) + Self.names(0) + Self.event(0)) == nil)
    }

    private func error(_ bytes: [UInt8]) -> TapClientError? {
        let server = StandInTap(answering: bytes)
        let end = Lock<(isOver: Bool, error: TapClientError?)>((false, nil))
        let subscription = TapClient(path: server.folder.socket).watch().subscribe(
            next: { _ in },
            failed: { error in end.withLock { $0 = (true, error) } },
            completed: { end.withLock { $0 = (true, nil) } }
        )
        waitUntil { end.withLock { $0.isOver } }
        subscription.dispose()
        return end.withLock { $0.error }
    }

    private static let begin =
        Array(#"{"parameters":{"kind":"begin","framing":"compact"},"continues":true}"#.utf8) + [0]

    @Test("A client reports that a reply is malformed, and ends")
    func client() {
        func isMalformed(_ bytes: [UInt8]) -> Bool {
            if case .malformedReply = error(bytes) { true } else { false }
        }
        #expect(isMalformed(Self.begin + Self.frame([9])))
        #expect(isMalformed(Self.begin + [255, 255, 255, 127]))
        #expect(isMalformed(Self.begin + Self.frame([0] + Array("nonsense".utf8))))
        #expect(isMalformed(Self.begin + Self.frame([0] + Self.begin.dropLast())))
        #expect(isMalformed(Array(#"{"parameters":{"kind":"begin","framing":"other"},"continues":true}"#.utf8) + [0]))
        let end = Self.frame([0] + Array(#"{"parameters":{"kind":"end","reason":"count"}}"#.utf8))
        #expect(error(Self.begin + Self.names(0) + Self.event(0) + end) == nil)
        let refusal = Self.frame([0] + Array(#"{"error":"org.busctl-rx.Tap.FilterTooCostly","parameters":{}}"#.utf8))
        if case .refused = error(Self.begin + refusal) {} else { Issue.record("the error in a frame was not heard") }
    }
}
