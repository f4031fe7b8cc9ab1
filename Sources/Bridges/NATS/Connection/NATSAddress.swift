import Bus

/// Why an address cannot be used.
package struct AddressFlaw: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// A NATS server and what to connect with.
package struct NATSAddress: Hashable, Sendable {
    /// With user and password, if they were typed.
    package let address: String
    /// A file with a user's credentials.
    package let credentials: String?
    /// A file with the certificates that the server's is checked against.
    package let authority: String?

    package static let options = ["creds", "ca"]

    /// - Parameters:
    ///   - address: `nats://HOST:PORT` or `tls://HOST:PORT`.
    ///   - options: `creds` and `ca` are taken from it.
    package init(_ address: Substring, _ options: inout URLOptions) throws(AddressFlaw) {
        guard let scheme = address.firstRange(of: "://"), ["nats", "tls"].contains(address[..<scheme.lowerBound]),
            scheme.upperBound < address.endIndex
        else {
            throw AddressFlaw("write a server as nats://HOST:PORT or tls://HOST:PORT")
        }
        if let flaw = Self.flawOfCommas(in: address) { throw flaw }
        self.address = String(address)
        credentials = options.take("creds")
        authority = options.take("ca")
    }

    /// The addresses of the servers, which have commas between them. The scheme stands at the first alone.
    package var servers: [String] {
        address.split(separator: ",").map { server in
            guard !server.contains("://"), let end = address.firstRange(of: "://")?.upperBound else {
                return String(server)
            }
            return String(address[..<end] + server)
        }
    }

    /// The servers for messages, without user and password.
    package var place: String { Self.place(of: servers) }

    static func place(of servers: [String]) -> String { servers.map(withoutSecrets).joined(separator: ", ") }

    /// A comma may stand between two servers or in a password. Taken for the first, half of the password would be a server's name, and be
    /// shown in messages.
    private static func flawOfCommas(in address: Substring) -> AddressFlaw? {
        // Whether a part without user and password lies between the last scheme and here.
        var isBare = false
        for part in address.split(separator: ",", omittingEmptySubsequences: false) {
            if part.contains("://") { isBare = false }
            if isBare, part.contains("@") {
                return AddressFlaw(
                    "it is not clear what a comma before an @ means: it cannot stand in a user or a password (use creds=FILE), and behind a server without a user, the next one begins with nats:// or tls://"
                )
            }
            isBare = isBare || !part.contains("@")
        }
        return nil
    }

    /// An address without the user and the password, which stand between the scheme and the last `@`.
    package static func withoutSecrets(_ server: String) -> String {
        guard let at = server.lastIndex(of: "@") else { return server }
        let scheme = server.firstRange(of: "://").map { server[..<$0.upperBound] } ?? ""
        return String(scheme + server[server.index(after: at)...])
    }

    /// Why the port of a server is none, if so. It may be a part of a password, so it is not shown.
    static func flawOfPort(in place: String) -> String? {
        let host = place[(place.firstRange(of: "://")?.upperBound ?? place.startIndex)...]
        // Behind the brackets of an address of IPv6.
        let end = host.lastIndex(of: "]").map { host[$0...] } ?? host
        guard let colon = end.firstIndex(of: ":") else { return nil }
        let digits = end[end.index(after: colon)...]
        if digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), UInt16(digits) ?? 0 > 0 { return nil }
        return "\"\(place[..<colon])\" is not followed by a port, which is a number from 1 to 65535"
    }

    /// A server with its options behind a question mark, and the text between the slash that follows the server and the options.
    package static func parse(_ url: Substring) throws(AddressFlaw) -> (address: NATSAddress, path: Substring) {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let (server, path) = try split(parts[0])
        var options = try URLOptions(parts.count > 1 ? parts[1] : "", names: Self.options)
        return (try NATSAddress(server, &options), path)
    }

    /// The servers, and what stands behind the slash that follows them.
    package static func split(_ url: Substring) throws(AddressFlaw) -> (server: Substring, path: Substring) {
        let (server, path) = splitAtSlash(url)
        guard path.contains("@"), !server.contains("@") else { return (server, path) }
        throw AddressFlaw(
            "it is not clear what the slash before an @ means: it cannot stand in a user or a password (use creds=FILE); behind the server, the @ is written %40"
        )
    }

    private static func splitAtSlash(_ url: Substring) -> (server: Substring, path: Substring) {
        var rest = url
        // Each of several servers may have a scheme.
        while let slash = rest.firstIndex(of: "/") {
            let next = url[slash...].dropFirst(2)
            guard url[..<slash].last == ":", url[slash...].hasPrefix("//") else {
                return (url[..<slash], url[url.index(after: slash)...])
            }
            rest = next
        }
        return (url, "")
    }
}

extension NATSAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { place }

    package var debugDescription: String { place }

    package var customMirror: Mirror {
        Mirror(self, children: ["place": place, "credentials": credentials as Any, "authority": authority as Any])
    }
}

/// The options behind the question mark of an address: `name=value&name=value`.
package struct URLOptions {
    private var values: [String: String] = [:]

    /// - Parameter names: those that are known.
    package init(_ text: Substring, names: [String]) throws(AddressFlaw) {
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard names.contains(String(pair[0])) else {
                // It may be a part of a password, and is not shown then.
                if text.contains("@") {
                    throw AddressFlaw("a question mark cannot stand in a user or a password (use creds=FILE)")
                }
                throw AddressFlaw(
                    "there is no option '\(pair[0])' behind the question mark; there are \(names.joined(separator: ", "))"
                )
            }
            guard pair.count == 2, let value = PercentText.decoded(pair[1]), !value.isEmpty else {
                throw AddressFlaw("\(pair[0]) needs a value, as in \(pair[0])=…")
            }
            guard values.updateValue(value, forKey: String(pair[0])) == nil else {
                throw AddressFlaw("\(pair[0]) is given twice")
            }
        }
    }

    package mutating func take(_ name: String) -> String? { values.removeValue(forKey: name) }
}
