import TestSupport
import Testing

@Suite("The declarations of libncursesw")
struct DeclarationTests {
    private static let header = LibraryHeader(of: "CNcurses", comparedWith: "CNCURSES_COMPARED")

    @Test("are those of the library's header")
    func compared() throws {
        #expect(try Self.header.errors() == "")
    }

    @Test(
        "A parameter or a number that differs is found",
        arguments: [
            ("newpad, (int a, int b)", "newpad, (int a, short b)"), ("(KEY_END, 360)", "(KEY_END, 361)"),
            ("sizeof(cchar_t) == 28", "sizeof(cchar_t) == 24"),
        ]
    )
    func found(right: String, wrong: String) throws {
        #expect(try Self.header.errors(replacing: right, with: wrong) != "")
    }
}
