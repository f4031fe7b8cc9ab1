/// Where a connection goes, and how it behaves.
public struct NATSOptions: Sendable, Hashable {
    /// Addresses such as `nats://host:4222` or `tls://host:4222`. They are tried in a random order, as are those that a server
    /// tells of others in its cluster.
    public var servers: [String]
    /// How the connection says whose it is.
    public var authentication: NATSAuthentication = .none
    /// A file of certificates in PEM form that the server's certificate is checked against. With it, the connection uses TLS.
    public var certificateAuthority: String?
    /// The name that the server shows in its list of connections.
    public var name: String?
    /// How long to wait for one server to answer.
    public var connectTimeout: Duration = .seconds(2)
    /// How long to wait between two attempts to reconnect to one server.
    public var reconnectWait: Duration = .seconds(2)
    /// How often to try each server when the connection is lost; nil tries for ever.
    public var reconnectAttempts: Int?
    /// How many bytes may wait to be sent while there is no connection.
    public var reconnectBuffer = 8 * 1024 * 1024
    /// How many messages may be on their way to streams of JetStream, not acknowledged yet.
    public var maxUnacknowledged = 4096
    /// How often the server is asked whether it is still there. It is given up when two questions are unanswered.
    public var pingInterval: Duration = .seconds(120)
    /// Whether subscriptions hear the messages that this connection itself publishes.
    public var hearsItself = true
    /// A server that takes nothing for so long is given up. Otherwise a full socket would block for ever.
    var writeDeadline: Duration = .seconds(10)

    /// Options for a cluster, of which any server will do.
    public init(servers: [String]) {
        self.servers = servers
    }

    /// Options for one server, as in `nats://HOST:PORT`.
    public init(_ server: String) {
        self.init(servers: [server])
    }

    var usesTLS: Bool { certificateAuthority != nil || servers.contains { $0.hasPrefix("tls://") } }

    /// The servers for messages, without user and password.
    var place: String { NATSAddress.place(of: servers) }

    /// Why no connection can be made with them, if so.
    package var flaw: String? {
        if servers.isEmpty { return "no server is given" }
        for server in servers {
            let place = NATSAddress.withoutSecrets(server)
            guard server.utf8.allSatisfy({ $0 > 32 && $0 != 127 }) else {
                return "\"\(place)\" is not a server's address: spaces and control characters are not allowed"
            }
            if let range = server.firstRange(of: "://"), !["nats", "tls"].contains(server[..<range.lowerBound]) {
                return "\"\(place)\" is not a server's address; use nats://HOST:PORT or tls://HOST:PORT"
            }
            let host = place.firstRange(of: "://").map { place[$0.upperBound...] } ?? place[...]
            if host.isEmpty || host.hasPrefix(":") || host.hasPrefix("/") {
                return "\"\(place)\" is not a server's address: the host is missing"
            }
            if let flaw = NATSAddress.flawOfPort(in: place) { return flaw }
        }
        if maxUnacknowledged < 1 { return "maxUnacknowledged is \(maxUnacknowledged), and at least 1" }
        if reconnectBuffer < 0 { return "a reconnect buffer of \(reconnectBuffer) bytes is not possible" }
        return nil
    }
}

extension NATSOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The servers, without users and passwords.
    public var description: String { place }

    public var debugDescription: String { "NATSOptions(\(place), \(authentication))" }

    /// All options; the servers and the authentication without their secrets.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "servers": servers.map { NATSAddress.withoutSecrets($0) }, "authentication": authentication,
                "certificateAuthority": certificateAuthority as Any, "name": name as Any,
                "connectTimeout": connectTimeout, "reconnectWait": reconnectWait,
                "reconnectAttempts": reconnectAttempts as Any, "reconnectBuffer": reconnectBuffer,
                "maxUnacknowledged": maxUnacknowledged, "pingInterval": pingInterval, "hearsItself": hearsItself,
            ]
        )
    }
}

extension Duration {
    /// Whole milliseconds, at least 1, rounded up.
    var natsMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let fraction = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return max(1, min(max(seconds, -1), 1_000_000_000) * 1000 + fraction)
    }
}
