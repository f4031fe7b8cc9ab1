import DBusBridge
import TestSupport
import Testing

@Suite("Match rules of D-Bus as text")
struct DBusRuleTests {
    @Test(
        "a rule is parsed, and formatting it gives the same rule",
        arguments: [
            ("", DBusMatch(kind: nil)), ("type='signal'", DBusMatch()),
            ("type='error',sender=':1.42'", DBusMatch(kind: .error, sender: ":1.42")),
            (
                "type=signal, interface =org.example.I,member='M',path='/a/b',arg0='x,y=z',arg63path='/c/'",
                DBusMatch(
                    path: "/a/b",
                    interface: "org.example.I",
                    member: "M",
                    arguments: [0: "x,y=z"],
                    argumentPaths: [63: "/c/"]
                )
            ),
            (
                "sender='org.example.a-b',destination=':1.2',path_namespace='/',arg0namespace='org'",
                DBusMatch(
                    kind: nil,
                    sender: "org.example.a-b",
                    pathNamespace: "/",
                    destination: ":1.2",
                    argument0Namespace: "org"
                )
            ),
            (#"arg1='it'\''s',arg2=a\b,arg3='\'"#, DBusMatch(kind: nil, arguments: [1: "it's", 2: #"a\b"#, 3: #"\"#])),
            ("arg0=''", DBusMatch(kind: nil, arguments: [0: ""])),
        ]
    )
    func sound(rule: String, match: DBusMatch) throws {
        let read = try DBusMatch(rule: rule)
        #expect(read == match)
        #expect(try DBusMatch(rule: read.rule) == match)
    }

    @Test(
        "an error says what is wrong and where",
        arguments: [
            ("type='call'", 5, "'call' is no type"), ("member", 6, "a '=' is missing"), ("='x'", 0, "a key is missing"),
            ("member='M',member='N'", 11, "there twice"), ("member='M", 7, "not closed"),
            ("membre='M'", 0, "'membre' is no key"), ("arg64='x'", 0, "from arg0 to arg63"),
            ("argpath='x'", 0, "no key"),
            ("arg1x='x'", 0, "no key"), ("interface='I'", 10, "no interface"), ("interface='a..b'", 10, "no interface"),
            ("path='a'", 5, "no object path"), ("path='/a/'", 5, "no object path"), ("member='a.b'", 7, "no member"),
            ("sender='x'", 7, "no name on a bus"), ("sender=''", 7, "no name on a bus"),
            ("path='/',path_namespace='/'", 9, "not both"), ("eavesdrop='true'", 0, "monitoring"),
            ("arg0='\u{0}'", 6, "zero byte"), ("arg0='\(String(repeating: "x", count: 2000))'", 1024, "longer than"),
        ]
    )
    func flawed(rule: String, offset: Int, reason: String) throws {
        let error = #expect(throws: DBusRuleError.self) { try DBusMatch(rule: rule) }
        #expect(error?.offset == offset && error?.reason.contains(reason) ?? false, "\(error?.description ?? "")")
    }

    @Test("any text is parsed or refused, and what was parsed is formatted with the same meaning")
    func random() {
        var random = SeededGenerator(20)
        let parts = ["type", "member", "arg0", "path", "=", "'", ",", "\\", "signal", "/a", "M", " ", "é", "\u{0}"]
        for _ in 0..<Stress.rounds(20_000, stress: 1_000_000) {
            let rule = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                parts.randomElement(using: &random) ?? "="
            }.joined()
            guard let match = try? DBusMatch(rule: rule) else { continue }
            #expect((try? DBusMatch(rule: match.rule)) == match)
        }
    }
}
