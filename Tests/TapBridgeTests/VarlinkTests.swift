import Records
import TestSupport
import Testing

@testable import TapBridge

private func call(_ text: String) throws(VarlinkCall.Malformed) -> VarlinkCall { try VarlinkCall(Array(text.utf8)) }

private func reply(_ write: (inout OutputBuffer) -> Void) -> String {
    var output = OutputBuffer()
    write(&output)
    return output.withBytes { String(decoding: $0, as: UTF8.self) }
}

@Suite("Messages between a tap and its clients")
struct VarlinkTests {
    @Test("A call is parsed, and unknown members are ignored")
    func calls() throws {
        let whole = try call(
            #" { "future":{"a":[1,"}"]}, "method" : "a.b.C", "parameters":{"x":1} , "more":true,"oneway":false, "upgrade":null}"#
        )
        #expect(whole.method == "a.b.C")
        #expect(whole.interface == "a.b")
        #expect(String(decoding: whole.parameters, as: UTF8.self) == #"{"x":1}"#)
        #expect(whole.wantsMore && !whole.isOneway && !whole.wantsUpgrade)
        #expect(try call(#"{"method":"\u0061.b"}"#).method == "a.b")
        #expect(try call(#"{"method":"M"}"#).interface == "")
    }

    @Test(
        "An invalid call is refused with a description",
        arguments: [
            "", " ", "x", "null", "1", "[]", "{", "}", "{}", #"{"method":}"#, #"{"method":1}"#, #"{"method":null}"#,
            #"{"method":"a""b"}"#, #"{"method":"a\"}"#, #"{"method":"a","method":"b"}"#, #"{"method":"a","more":1}"#,
            #"{"method":"a","oneway":"true"}"#, #"{"method":"a","parameters":[]}"#, #"{"method":"a"} x"#,
            #"{"method":"a",}"#,
            #"{"method":"\ud800\u12"}"#, "{\"method\":\"a\nb\"}",
        ]
    )
    func malformed(_ text: String) {
        #expect(throws: VarlinkCall.Malformed.self) { try call(text) }
    }

    @Test("Numbers and texts are parsed exactly")
    func arguments() throws {
        let text =
            #"{"n":-12,"big":99999999999999999999,"f":1.5,"t":"1","z":null,"s":"a\"b\u00fc","bad":"\ud8","e":1e3}"#
        let names = ["n", "big", "f", "t", "z", "s", "bad", "missing", "e"]
        let found = try #require(JSONArguments(Array(text.utf8), named: names))
        #expect(try found.number("n") == -12)
        #expect(try found.number("z") == nil)
        #expect(try found.number("missing") == nil)
        #expect(try found.text("s") == "a\"bü")
        #expect(try found.flag("missing") == false)
        for name in ["big", "f", "t", "e"] { #expect(throws: JSONArguments.WrongType.self) { try found.number(name) } }
        for name in ["n", "bad"] { #expect(throws: JSONArguments.WrongType.self) { try found.text(name) } }
        #expect(throws: JSONArguments.WrongType.self) { try found.flag("n") }
        #expect(throws: JSONArguments.WrongType.self) { try found.object("s") }
    }

    @Test("Replies and errors are JSON followed by a zero byte")
    func replies() {
        #expect(reply { VarlinkReply.append(to: &$0) { _ in } } == "{\"parameters\":{}}\0")
        let members = reply { output in
            VarlinkReply.append(to: &output, continues: true) { members in
                members.add("a", "x\"\u{1}")
                members.add("b", -5)
                members.add("c", UInt64.max)
                members.add("d", false)
                members.add("e", texts: ["p", "q"])
                let count = members.add("f", 1...100, limit: 20) { number, members in members.add("n", number) }
                members.add("g", count)
            }
        }
        #expect(
            members
                == "{\"parameters\":{\"a\":\"x\\\"\\u0001\",\"b\":-5,\"c\":18446744073709551615,\"d\":false,\"e\":[\"p\",\"q\"],"
                + "\"f\":[{\"n\":1},{\"n\":2}],\"g\":2},\"continues\":true}\0"
        )
        #expect(
            reply { VarlinkReply.append(.methodNotFound("a.b"), to: &$0) }
                == "{\"error\":\"org.varlink.service.MethodNotFound\",\"parameters\":{\"method\":\"a.b\"}}\0"
        )
    }

    @Test("Bytes are split at zero bytes, however they arrive, and no message exceeds the limit")
    func messages() {
        var generator = SeededGenerator(7)
        for _ in 0..<200 {
            let messages = (0..<20).map { _ -> [UInt8] in
                (0..<generator.number(0..<31)).map { _ in UInt8(generator.number(1..<256)) }
            }
            var rest = ArraySlice(messages.flatMap { message -> [UInt8] in message + [0] })
            var buffer = MessageBuffer(limit: 30)
            var found: [[UInt8]] = []
            while !rest.isEmpty {
                let part = rest.prefix(Int.random(in: 1...40, using: &generator)).prefix(buffer.freeCapacity)
                #expect(!part.isEmpty)
                rest = rest.dropFirst(part.count)
                Array(part).withUnsafeBytes { buffer.append($0) }
                while let message = buffer.next() { found.append(Array(message)) }
                #expect(!buffer.isTooLong)
            }
            #expect(found == messages)
            #expect(buffer.isEmptyOfMessages)
        }
        var buffer = MessageBuffer(limit: 30)
        Array(repeating: UInt8(1), count: buffer.freeCapacity).withUnsafeBytes { buffer.append($0) }
        #expect(buffer.next() == nil)
        #expect(buffer.isTooLong && buffer.freeCapacity == 0)
    }

    @Test("Random and damaged messages are parsed or refused, and never trap")
    func fuzz() {
        var generator = SeededGenerator(11)
        let valid = [
            #"{"method":"org.busctl-rx.Tap.Watch","parameters":{"pattern":"a.>","filter":"value.x == \"y\"","count":3},"more":true}"#,
            #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"org.busctl-rx.Tap"}}"#,
            #"{"method":"\u0061\n","parameters":{"a":[{},[],"\"",1.5e-3,null,true]},"oneway":false}"#,
        ]
        let alphabet = Array("{}[]\":,\\u0aedtrfnl1.- \t\0\u{80}\u{ff}".utf8) + [0xC0, 0xED, 0xA0, 0xFF]
        for round in 0..<Stress.rounds(20_000, stress: 2_000_000) {
            var bytes: [UInt8]
            if round % 4 == 0 {
                bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator) ?? 0
                }
            } else {
                bytes = Array((valid.randomElement(using: &generator) ?? "").utf8)
                for _ in 0..<Int.random(in: 1...5, using: &generator) where !bytes.isEmpty {
                    let place = Int.random(in: 0..<bytes.count, using: &generator)
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: bytes[place] = alphabet.randomElement(using: &generator) ?? 0
                    case 1: bytes.remove(at: place)
                    case 2: bytes.insert(alphabet.randomElement(using: &generator) ?? 0, at: place)
                    default: bytes.removeSubrange(place...)
                    }
                }
            }
            guard let call = try? VarlinkCall(bytes) else { continue }
            let names = ["pattern", "filter", "count", "a", "interface"]
            guard let arguments = JSONArguments(call.parameters, named: names) else { continue }
            for name in names {
                _ = try? arguments.text(name)
                _ = try? arguments.number(name)
                _ = try? arguments.flag(name)
                _ = try? arguments.object(name)
            }
        }
    }

    @Test("A text that was written is read back unchanged")
    func roundTrip() throws {
        var generator = SeededGenerator(3)
        for _ in 0..<2000 {
            let scalars = (0..<Int.random(in: 0...20, using: &generator)).compactMap { _ in
                Unicode.Scalar(
                    UInt32.random(in: 0...0x2100, using: &generator) % (Bool.random(using: &generator) ? 0x80 : 0x2100)
                )
            }
            let text = String(String.UnicodeScalarView(scalars))
            let written = reply { output in ReplyMembers.append(to: &output) { $0.add("t", text) } }
            let read = try #require(JSONArguments(Array(written.utf8), named: ["t"]))
            #expect(try read.text("t") == text)
        }
    }
}
