/// A machine whose systemd-journal-gatewayd answers at a URL: `http://HOST[:PORT][/PATH]`.
struct GatewayAddress: Equatable, Sendable {
    /// Without a slash at its end.
    let url: String
    let host: String

    /// - Parameters:
    ///   - scheme: `http` or `https`.
    ///   - operand: the rest of the URL after the colon.
    init(scheme: String, operand: String) throws(SourceArgumentError) {
        var rest = operand[...]
        while rest.hasSuffix("/"), rest.count > 2 { rest = rest.dropLast() }
        guard rest.hasPrefix("//"), let host = Self.host(rest.dropFirst(2).prefix { $0 != "/" }), Self.isPlain(rest)
        else {
            throw SourceArgumentError(
                "write the URL of a systemd-journal-gatewayd, without a query, a user or a password, as in "
                    + "https://web-1:19531"
            )
        }
        url = "\(scheme):\(rest)"
        self.host = host
    }

    /// The number of entries after which the server stops to follow. A version of it needs one.
    private static let many = Int64.max

    /// An encrypted connection is not redirected to one without encryption.
    private var protocols: String { url.hasPrefix("https:") ? "=https" : "=http,https" }

    /// - Parameter configuration: the file with further options for curl.
    func arguments(_ request: RemoteRequest, configuration: String?) -> [String] {
        let options = [
            "-q", "--silent", "--show-error", "--fail", "--no-buffer", "--globoff", "--proto", protocols,
            "--location", "--max-redirs", "5", "--connect-timeout", "15", "--keepalive-time", "30",
        ]
        let headers = ["Accept: application/vnd.fdo.journal", range(of: request.place).map { "Range: entries=\($0)" }]
        return options + (configuration.map { ["--config", $0] } ?? [])
            + headers.compactMap { $0 }.flatMap { ["--header", $0] } + ["--url", url + "/entries" + query(of: request)]
    }

    /// `CURSOR:SKIP:COUNT`. A negative SKIP counts from the end.
    private func range(of place: RemoteRequest.Place) -> String? {
        switch place {
        case .head, .newest(nil, _): nil
        // Some versions begin one entry earlier. The caller takes the newest.
        case .newest(let count?, _): ":-\(count):\(Self.many)"
        case .cursor(let cursor): "\(cursor):0:\(Self.many)"
        }
    }

    private func query(of request: RemoteRequest) -> String {
        var words = request.follows ? ["follow"] : []
        words += request.matches.map { match in
            let parts = match.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.map(Self.encoded).joined(separator: "=")
        }
        return words.isEmpty ? "" : "?" + words.joined(separator: "&")
    }

    /// Bytes that a URL may not have as they are, by their number.
    private static func encoded(_ text: Substring) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                "\(Unicode.Scalar(byte))"
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }

    private static func host(_ authority: Substring) -> String? {
        let end: Substring.Index
        if authority.first == "[" {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            end = authority.index(after: bracket)
        } else {
            end = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let port = authority[end...]
        guard port.isEmpty || port.first == ":" && Int(port.dropFirst()).map({ (1...65535).contains($0) }) == true
        else {
            return nil
        }
        let host = authority[..<end].trimmingBrackets
        return host.isEmpty || host.hasPrefix("-") ? nil : host
    }

    private static func isPlain(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"?#@\\\"'<>^`{|}".utf8.contains($0) }
    }
}

extension Substring {
    fileprivate var trimmingBrackets: String { first == "[" ? String(dropFirst().dropLast()) : String(self) }
}
