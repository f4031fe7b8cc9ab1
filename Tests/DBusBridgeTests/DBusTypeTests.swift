import DBusBridge
import TestSupport
import Testing

@Suite("D-Bus types")
struct DBusTypeTests {
    @Test(
        "each type has its signature",
        arguments: [
            "y", "b", "n", "q", "i", "u", "x", "t", "d", "s", "o", "g", "h", "v", "as", "a{sv}", "(isa{s(xv)})", "aaay",
        ]
    )
    func signatures(_ text: String) throws {
        #expect(try DBusType(text).code == text)
    }

    @Test("a sequence of types is parsed as that many types")
    func several() throws {
        let types = try [DBusType](signature: "sa{sv}as(ii)")
        #expect(
            types == [
                .string, .dictionary(key: .string, value: .variant), .array(.string), .structure([.int32, .int32]),
            ]
        )
        #expect(types.signature == "sa{sv}as(ii)")
        #expect(try [DBusType](signature: "").isEmpty)
    }

    @Test(
        "an invalid signature is refused with the place of the error",
        arguments: [
            ("z", 0), ("a", 1), ("()", 1), ("(i", 2), ("i)", 1), ("a{vs}", 2), ("a{s}", 3), ("a{sss}", 4), ("{ss}", 0),
            ("a{(i)s}", 2), ("r", 0), ("e", 0), ("\u{0}", 0), ("é", 0),
        ]
    )
    func malformed(_ text: String, _ offset: Int) throws {
        let error = #expect(throws: DBusSignatureError.self) { try [DBusType](signature: text) }
        #expect(error?.offset == offset, "\(error?.description ?? "")")
    }

    @Test("the limits of the specification hold: 255 bytes, 32 arrays, 32 structures")
    func limits() throws {
        #expect(throws: Never.self) { try [DBusType](signature: String(repeating: "i", count: 255)) }
        #expect(throws: DBusSignatureError.self) { try [DBusType](signature: String(repeating: "i", count: 256)) }
        for (opening, closing) in [("a", ""), ("(", ")")] {
            let nested = { String(repeating: opening, count: $0) + "i" + String(repeating: closing, count: $0) }
            #expect(throws: Never.self) { try DBusType(nested(32)) }
            #expect(throws: DBusSignatureError.self) { try DBusType(nested(33)) }
        }
    }

    @Test("random bytes are parsed or refused, and what was parsed is formatted the same")
    func random() {
        var random = SeededGenerator(20)
        let letters = Array("ybnqiuxtdsoghva(){}z")
        for _ in 0..<Stress.rounds(20_000, stress: 1_000_000) {
            let text = String(
                (0..<Int.random(in: 1...12, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }
            )
            guard let types = try? [DBusType](signature: text) else { continue }
            #expect(types.signature == text)
        }
    }
}
