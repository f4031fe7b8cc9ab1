package import NATSBridge

/// An OTLP/HTTP receiver and what to connect with.
package struct OTLPAddress: Hashable, Sendable {
    package static let schemes = ["otlp+http://", "otlp+https://"]
    private static let path = "/v1/logs"

    /// Where requests go to.
    package let url: String
    /// A file with further headers.
    package let headers: String?
    /// A file with the certificates that the receiver's is checked against.
    package let authority: String?
    /// Files with the client's own certificate and its key.
    package let certificate: String?
    package let key: String?
    package let proxy: String?

    /// - Parameter text: `otlp+http://HOST:PORT/PATH` or `otlp+https://…`, and options behind a question mark.
    package init(_ text: String) throws(AddressFlaw) {
        guard let scheme = Self.schemes.first(where: { text.hasPrefix($0) }) else {
            throw AddressFlaw("write a receiver as otlp+http://HOST:PORT or otlp+https://HOST:PORT")
        }
        let parts = text.dropFirst("otlp+".utf8.count).split(
            separator: "?",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let address = parts[0]
        guard !address.contains("@") else {
            throw AddressFlaw(
                "a user and a password cannot stand in the address; write an Authorization header into a file (headers=FILE)"
            )
        }
        guard address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !address.contains("#") else {
            throw AddressFlaw("an address has neither spaces, nor control characters, nor a #; write others as %XX")
        }
        let rest = address.dropFirst(scheme.utf8.count - "otlp+".utf8.count)
        guard let first = rest.first, first != "/", first != ":" else {
            throw AddressFlaw("the address names no host; write it as \(scheme)HOST:PORT")
        }
        guard rest.prefix(while: { $0 != "/" }).last != ":" else {
            throw AddressFlaw("a port is missing behind the colon; write the address as \(scheme)HOST:PORT")
        }
        var options = try URLOptions(parts.count > 1 ? parts[1] : "", names: ["headers", "ca", "cert", "key", "proxy"])
        headers = options.take("headers")
        authority = options.take("ca")
        certificate = options.take("cert")
        key = options.take("key")
        proxy = options.take("proxy")
        guard proxy?.contains("@") != true else { throw AddressFlaw("a proxy's password cannot stand in the address") }
        guard (certificate == nil) == (key == nil) else {
            throw AddressFlaw("a client's certificate needs both cert=FILE and key=FILE")
        }
        let base = address.last == "/" ? address.dropLast() : address
        url = base.hasSuffix(Self.path) ? String(base) : base + Self.path
    }
}

extension OTLPAddress: CustomStringConvertible {
    package var description: String { url }
}
