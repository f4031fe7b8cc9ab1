import Bus
import Testing

@Suite("Topic names and patterns")
struct TopicNameTests {
    @Test(arguments: [
        "a", "a.b", "deploy.finished", "_INBOX.1", "a-b_c:d/e$f", "~", String(repeating: "x", count: 255),
    ])
    func valid(text: String) throws {
        #expect(try TopicName(checking: text).text == text)
        #expect(try TopicPattern(checking: text).description == text)
    }

    @Test(arguments: [
        ("", "it is empty"), (".", "a token is empty"), ("a.", "a token is empty"), (".a", "a token is empty"),
        ("a..b", "a token is empty"), ("a b", "only visible ASCII characters are allowed"),
        ("a\n", "only visible ASCII characters are allowed"), ("ä", "only visible ASCII characters are allowed"),
        ("a\u{0}b", "only visible ASCII characters are allowed"),
        ("a\u{7f}", "only visible ASCII characters are allowed"),
        ("a*.b", "a wildcard must be a token of its own"), ("a.b>", "a wildcard must be a token of its own"),
        (String(repeating: "x", count: 256), "it has more than 255 bytes"),
        (String(repeating: "ö", count: 200), "it has more than 255 bytes"),
        (Array(repeating: "a", count: 33).joined(separator: "."), "it has more than 32 tokens"),
    ])
    func refused(text: String, reason: String) {
        #expect(throws: TopicNameError.self) { try TopicName(checking: text) }
        do {
            _ = try TopicPattern(checking: text)
            Issue.record("accepted as a pattern")
        } catch {
            #expect(error.reason == reason)
            #expect(error.description.hasPrefix(text.prefix(255).debugDescription))
        }
    }

    @Test func aTextOfAnyLengthIsRefusedWithoutBeingRepeatedWhole() {
        do {
            _ = try TopicName(checking: String(repeating: "a.", count: 10_000_000))
            Issue.record("accepted")
        } catch {
            #expect(error.text.count <= 255)
        }
    }

    @Test func wildcardsAreForPatterns() throws {
        #expect(throws: TopicNameError.self) { try TopicName(checking: "a.*") }
        #expect(throws: TopicNameError.self) { try TopicName(checking: ">") }
        #expect(throws: TopicNameError.self) { try TopicPattern(checking: ">.a") }
        #expect(try TopicPattern(checking: "a.*.>").description == "a.*.>")
    }

    @Test(arguments: [
        ("deploy.*", "deploy.started", true), ("deploy.*", "deploy", false), ("deploy.*", "deploy.web.started", false),
        ("deploy.>", "deploy.started", true), ("deploy.>", "deploy.web.started", true), ("deploy.>", "deploy", false),
        ("*.started", "deploy.started", true), ("*.started", "deploy.web.started", false), (">", "a", true),
        (">", "a.b.c", true), ("a.b", "a.b", true), ("a.b", "a.B", false), ("*.*", "a.b", true), ("*", "a.b", false),
        ("a.*.c", "a.b.c", true), ("a.*.>", "a.b", false), ("a.*.>", "a.b.c", true),
    ])
    func matching(pattern: String, name: String, isMatch: Bool) throws {
        #expect(try TopicPattern(checking: pattern).matches(TopicName(checking: name)) == isMatch)
    }

    @Test func aPatternMadeOfANameMatchesThatName() {
        #expect(TopicPattern("a.b" as TopicName).matches("a.b"))
        #expect(!TopicPattern("a.b" as TopicName).matches("a.c"))
    }

    @Test func anInvalidLiteralStopsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = Topic<Int>("a..b") }
        await #expect(processExitsWith: .failure) { _ = "a.>.b" as TopicPattern }
    }
}
