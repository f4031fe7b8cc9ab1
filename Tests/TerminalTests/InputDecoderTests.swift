import CNcurses
import Glibc
import Testing

@testable import Terminal

@Suite("Input of a terminal")
struct InputDecoderTests {
    private static let locale: Bool = setlocale(LC_CTYPE, "C.UTF-8") != nil

    private var decoder = InputDecoder(keys: [CInt(KEY_UP): .up, CInt(KEY_BACKSPACE): .backspace])

    init() { #expect(Self.locale) }

    private mutating func events(_ text: String) -> [ScreenEvent] { events(Array(text.utf8)) }

    private mutating func events(_ bytes: [UInt8]) -> [ScreenEvent] {
        for byte in bytes { decoder.take(CInt(byte)) }
        return decoder.takeEvents()
    }

    @Test("A character may arrive in parts")
    mutating func parts() {
        #expect(events([0xE6, 0x97]) == [])
        #expect(events([0xA5, 0x61]) == [.text("日"), .text("a")])
    }

    @Test("Bytes that are no character do not hide what follows")
    mutating func invalid() {
        #expect(events([0xFF, 0x61]) == [.text("\u{FFFD}"), .text("a")])
        #expect(events("\u{85}b") == [.text("b")])
    }

    @Test("A character that is not completed does not hide what follows")
    mutating func incomplete() {
        #expect(events([0xE9, 0x73]) == [.text("\u{FFFD}"), .text("s")])
        #expect(events([0xE6, 0x97, 0xE6, 0x97, 0xA5]) == [.text("\u{FFFD}"), .text("日")])
        #expect(events([0xC3, 0x0D, 0x61]) == [.text("\u{FFFD}"), .key(.enter), .text("a")])
        #expect(events([0xC3, 0x1B, 0x61]) == [.text("\u{FFFD}"), .key(.alt("a"))])
        #expect(events([0x1B, 0xC3, 0x5B, 0x61]) == [.key(.alt("\u{FFFD}")), .text("["), .text("a")])
        decoder.take(0xC3)
        decoder.take(CInt(KEY_UP))
        #expect(events("a") == [.text("\u{FFFD}"), .key(.up), .text("a")])
        decoder.take(0xC3)
        decoder.take(CInt(KEY_RESIZE))
        #expect(events([0xA9]) == [.text("é")])
        decoder.take(InputDecoder.pasteBegin)
        #expect(events(Array("caf".utf8) + [0xE9, 0x73, 0xC3, 0x0D]) == [.paste("caf\u{FFFD}s\u{FFFD}\n")])
        decoder.take(0xC3)
        decoder.take(InputDecoder.pasteEnd)
        #expect(events("a") == [.paste("\u{FFFD}"), .text("a")])
    }

    @Test("Marks join the letter that came with them")
    mutating func marks() {
        #expect(events("e\u{301}x") == [.text("é"), .text("x")])
        #expect(events("\u{301}") == [.text("\u{301}")])
    }

    @Test("Control characters are keys")
    mutating func controls() {
        let keys: [Key] = [
            .control("@"), .control("a"), .backspace, .tab, .enter, .enter, .control("z"), .control("\\"),
            .control("_"), .backspace,
        ]
        #expect(events([0, 1, 8, 9, 10, 13, 26, 28, 31, 127]) == keys.map { .key($0) })
    }

    @Test("An escape is a key, or belongs to the character behind it")
    mutating func escapes() {
        #expect(events("\u{1B}") == [.key(.escape)])
        #expect(events("\u{1B}é") == [.key(.alt("é"))])
        #expect(events("\u{1B}\u{1B}") == [.key(.escape), .key(.escape)])
        #expect(events("\u{1B}\r") == [.key(.escape), .key(.enter)])
        #expect(events("\u{1B}\u{7F}\u{1B}\u{8}") == [.key(.alt("\u{7F}")), .key(.alt("\u{7F}"))])
        decoder.take(0x1B)
        decoder.take(CInt(KEY_BACKSPACE))
        #expect(events("") == [.key(.alt("\u{7F}"))])
    }

    @Test("A sequence that nobody knows is left out, and one without an end is bounded")
    mutating func unknown() {
        #expect(events("a\u{1B}[1;2yb\u{1B}OQc") == [.text("a"), .text("b"), .text("c")])
        #expect(events("\u{1B}[" + String(repeating: "1", count: 64) + "1x") == [.text("x")])
        #expect(events("\u{1B}[1") == [])
        #expect(events("x") == [.text("x")])
    }

    @Test("Pasted text is bounded for each event, and holds no keys")
    mutating func pasted() {
        decoder.take(InputDecoder.pasteBegin)
        decoder.take(CInt(KEY_UP))
        #expect(events("q\u{3}\u{1B}[Aq\r") == [.paste("q\u{3}\u{1B}[Aq\n")])
        let long = events(String(repeating: "é", count: 5000))
        #expect(long.count == 2 && long.last == .paste(String(repeating: "é", count: 5000 - 4096)))
        decoder.take(InputDecoder.pasteEnd)
        #expect(events("q") == [.text("q")])
    }
}

@Suite("A mouse button")
struct ClickCounterTests {
    @Test("is pressed twice when the second press is soon, and at the same place")
    func double() {
        var clicks = ClickCounter()
        let (place, start) = (Place(row: 1, column: 1), ContinuousClock.now)
        #expect(clicks.press(at: place, start) == .press)
        #expect(clicks.press(at: place, start + .milliseconds(400)) == .doublePress)
        #expect(clicks.press(at: place, start + .milliseconds(500)) == .press)
        #expect(clicks.press(at: place, start + .milliseconds(901)) == .press)
        #expect(clicks.press(at: Place(row: 1, column: 2), start + .milliseconds(902)) == .press)
    }
}
