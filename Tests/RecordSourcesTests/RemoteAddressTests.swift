import JournalBridge
import Testing

@testable import RecordSources

@Suite("Addresses of other machines")
struct RemoteAddressTests {
    @Test(
        "a host for ssh, with a user and a port",
        arguments: [
            ("web-1", "web-1", "web-1", nil), ("admin@web-1:2222", "admin@web-1", "web-1", 2222),
            ("[fd00::1]", "fd00::1", "fd00::1", nil), ("a@b@[::1%eth0]:22", "a@b@::1%eth0", "::1%eth0", 22),
        ]
    )
    func hosts(_ operand: String, _ destination: String, _ host: String, _ port: Int?) throws {
        let address = try SSHAddress(operand: operand)
        #expect(address.destination == destination && address.host == host && address.port == port)
    }

    @Test(
        "what ssh could take for something else is refused",
        arguments: [
            "-oProxyCommand=reboot", "a@-b", "-a@b", "@b", "a@", "a:0", "a:65536", "a:b", "a:", "::1", "[::1",
            "[::1]22",
            "a b", "a\n", "a;b", "$a", "a/b", "[]", "a:+1",
        ]
    )
    func strangeHosts(_ operand: String) {
        #expect(throws: SourceArgumentError.self) { try SSHAddress(operand: operand) }
    }

    @Test(
        "the URL of a server, without a query, a user or a password",
        arguments: [
            ("//web-1", "https://web-1", "web-1"), ("//web-1:19531/", "https://web-1:19531", "web-1"),
            ("//[fd00::1]:19531", "https://[fd00::1]:19531", "fd00::1"),
            ("//a.example/journal//", "https://a.example/journal", "a.example"),
        ]
    )
    func urls(_ operand: String, _ url: String, _ host: String) throws {
        let address = try GatewayAddress(scheme: "https", operand: operand)
        #expect(address.url == url && address.host == host)
    }

    @Test(
        "another URL is refused",
        arguments: [
            "web-1", "//", "///", "//:19531", "//a:b", "//a:0", "//user@a", "//a?follow", "//a#b", "//a b", "//-a",
            "//[::1",
            "//é", "//a\\b",
        ]
    )
    func strangeURLs(_ operand: String) {
        #expect(throws: SourceArgumentError.self) { try GatewayAddress(scheme: "https", operand: operand) }
    }

    @Test("a word for the shell of the other machine")
    func quoting() {
        #expect(ShellText.quoted("it's $HOME; \"\\") == "'it'\\''s $HOME; \"\\'" && ShellText.quoted("") == "''")
    }

    @Test("entries are compared by their numbers, if these have one source")
    func numbers() throws {
        let (source, other) = (String(repeating: "a", count: 32), String(repeating: "b", count: 32))
        let first = try #require(EntryNumber(cursor: "s=\(source);i=9;b=\(other)"))
        let second = try #require(EntryNumber(cursor: "s=\(source);i=1f;b=\(other)"))
        #expect(first.isBefore(second) && !second.isBefore(first) && !first.isBefore(first))
        #expect(try !first.isBefore(#require(EntryNumber(cursor: "s=\(other);i=1f"))))
        // libsystemd reads the parts in any order, too.
        #expect(EntryNumber(cursor: "i=9;s=\(source)") == first)
        for cursor in [
            "", "s=\(source)", "s=\(source);i=", "s=\(source);i=g", "s=a;i=1", "s=\(source);i=10000000000000000",
        ] {
            #expect(EntryNumber(cursor: cursor) == nil, "\(cursor)")
        }
    }
}
