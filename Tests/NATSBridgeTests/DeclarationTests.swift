import TestSupport
import Testing

@Suite("The declarations of libnats")
struct DeclarationTests {
    private static let header = LibraryHeader(of: "CNATS", comparedWith: "CNATS_COMPARED")

    @Test("are those of the library's header")
    func compared() throws {
        #expect(try Self.header.errors() == "")
    }

    @Test(
        "A parameter or a number that differs is found",
        arguments: [("int64_t b", "int b"), ("(NATS_TIMEOUT, 26)", "(NATS_TIMEOUT, 27)")]
    )
    func found(right: String, wrong: String) throws {
        #expect(try Self.header.errors(replacing: right, with: wrong) != "")
    }
}
