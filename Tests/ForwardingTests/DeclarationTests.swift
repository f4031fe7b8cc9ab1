import TestSupport
import Testing

private let header = LibraryHeader(of: "CCurl", comparedWith: "CCURL_COMPARED")
private let isInstalled = (try? header.errors().contains("'curl/curl.h' file not found")) == false

@Suite(
    "The declarations of libcurl",
    .enabled(if: isInstalled, "needs libcurl4-openssl-dev or another package with curl/curl.h")
)
struct DeclarationTests {
    @Test("are those of the library's header")
    func compared() throws {
        #expect(try header.errors() == "")
    }

    @Test(
        "A number or a member that differs is found",
        arguments: [
            ("(CURLOPT_PROXY, 10004)", "(CURLOPT_PROXY, 10005)"), ("CURLMSG_DONE, 1", "CURLMSG_DONE, 2"),
            ("    int msg;", "    int msg, other[4];"),
        ]
    )
    func found(right: String, wrong: String) throws {
        #expect(try header.errors(replacing: right, with: wrong) != "")
    }
}
