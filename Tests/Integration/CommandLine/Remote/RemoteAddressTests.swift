import Testing

@testable import busctl_rx

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
        #expect(throws: BadValue.self) { try SSHAddress(operand: operand) }
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
        #expect(throws: BadValue.self) { try GatewayAddress(scheme: "https", operand: operand) }
    }

    @Test("a word for the shell of the other machine")
    func quoting() {
        #expect(SSHAddress.quoted("it's $HOME; \"\\") == "'it'\\''s $HOME; \"\\'" && SSHAddress.quoted("") == "''")
    }

    @Test("entries are compared by their numbers, if these have one source")
    func numbers() throws {
        func number(_ cursor: String) -> EntryNumber? { EntryNumber(cursor: Array(cursor.utf8)) }
        let (first, second) = try (#require(number("s=a;i=9;b=1")), #require(number("s=a;i=1f;b=1")))
        #expect(first.isBefore(second) && !second.isBefore(first) && !first.isBefore(first))
        #expect(try !first.isBefore(#require(number("s=b;i=1f"))))
        for cursor in ["", "s=a", "s=a;i=", "s=a;i=g", "i=1;s=a", "s=a;i=10000000000000000"] {
            #expect(number(cursor) == nil, "\(cursor)")
        }
    }
}
