import Bus
import NATSBridge

/// Where the topics of a bus are carried: the one text that a deployment changes.
///
/// | text | the topics are heard |
/// | --- | --- |
/// | `process` | in this program |
/// | `unix:/run/app/bus` | by the programs of this host that are linked over the socket; another program serves it |
/// | `unix:/run/app/bus?serve` | the same; this program serves it |
/// | `nats://HOST:PORT/PREFIX` | by all programs that are linked over this server with this prefix |
/// | `tls://HOST:PORT/PREFIX?creds=FILE&ca=FILE` | the same, over TLS, with a user's credentials and an authority of one's own |
///
/// Behind the slash of a NATS address stands the prefix of a deployment, such as `shop.test`: the topic `order.placed` is then
/// the subject `shop.test.order.placed`. Several servers of a cluster have commas between them. In an address and behind the
/// question mark, `%` and two hexadecimal digits stand for a byte.
///
/// ```swift
/// import LinkBridge
///
/// let address = try BusAddress("unix:/run/app/bus?serve")
/// ```
public struct BusAddress: Sendable, Hashable {
    enum Place: Sendable, Hashable {
        case process
        case unix(path: String, serves: Bool)
        case nats(NATSAddress, prefix: TopicName)
    }

    let place: Place

    /// Nothing is carried.
    public static let process = BusAddress(place: .process)

    /// A socket of this host.
    ///
    /// - Parameters:
    ///   - path: the path of the socket: absolute, and at most 107 bytes.
    ///   - serving: whether this program serves it. One program of a bus does.
    /// - Throws: ``BusAddressError``.
    public static func unix(_ path: String, serving: Bool = false) throws(BusAddressError) -> BusAddress {
        BusAddress(place: try unixPlace(path, serves: serving, "unix:\(path)"))
    }

    /// - Parameter text: see above.
    /// - Throws: ``BusAddressError``, which names the text and what is wrong with it.
    public init(_ text: String) throws(BusAddressError) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let options = parts.count > 1 ? parts[1] : ""
        if parts.first == "process" {
            guard parts.count == 1 else { throw BusAddressError(text, "\"process\" takes no options") }
            place = .process
        } else if text.hasPrefix("unix:") {
            guard parts.count == 1 || options == "serve" else {
                throw BusAddressError(text, "behind the question mark of a socket only \"serve\" is allowed")
            }
            guard let path = PercentText.decoded(parts[0].dropFirst(5)) else {
                throw BusAddressError(text, "two hexadecimal digits follow a %")
            }
            place = try Self.unixPlace(path, serves: parts.count > 1, text)
        } else if text.hasPrefix("nats://") || text.hasPrefix("tls://") {
            place = try Self.natsPlace(parts[0], options, text)
        } else {
            throw BusAddressError(text, "write process, unix:/PATH, unix:/PATH?serve or nats://HOST:PORT/PREFIX")
        }
    }

    private init(place: Place) {
        self.place = place
    }

    private static func unixPlace(_ path: String, serves: Bool, _ text: String) throws(BusAddressError) -> Place {
        guard path.hasPrefix("/"), !path.hasSuffix("/") else {
            throw BusAddressError(text, "the path of a socket begins with a slash, and does not end with one")
        }
        guard path.utf8.count <= 107, !path.utf8.contains(0) else {
            throw BusAddressError(text, "the path of a socket has at most 107 bytes, none of them zero")
        }
        return .unix(path: path, serves: serves)
    }

    private static func natsPlace(_ url: Substring, _ rest: Substring, _ text: String) throws(BusAddressError) -> Place
    {
        do throws(AddressFlaw) {
            let (server, path) = try NATSAddress.split(url)
            var options = try URLOptions(rest, names: NATSAddress.options)
            let address = try NATSAddress(server, &options)
            let flaw = NATSOptions(servers: address.servers).flaw
            if let flaw { throw AddressFlaw(flaw) }
            return .nats(address, prefix: try prefix(path))
        } catch {
            throw BusAddressError(text, error.description)
        }
    }

    private static func prefix(_ path: Substring) throws(AddressFlaw) -> TopicName {
        guard let name = PercentText.decoded(path), !name.isEmpty else {
            throw AddressFlaw("behind a slash stands the prefix of the subjects, as in nats://127.0.0.1:4222/shop.test")
        }
        guard !name.hasPrefix("$"), !name.hasPrefix("_INBOX") else {
            throw AddressFlaw("the prefix begins with a name that NATS uses itself")
        }
        do throws(TopicNameError) {
            return try TopicName(checking: name)
        } catch {
            throw AddressFlaw("the prefix is no name of topics: \(error.reason)")
        }
    }
}

extension BusAddress: CustomStringConvertible {
    /// The text, without user, password and options.
    public var description: String {
        switch place {
        case .process: "process"
        case .unix(let path, let serves): serves ? "unix:\(path)?serve" : "unix:\(path)"
        case .nats(let address, let prefix): "\(address.place)/\(prefix)"
        }
    }
}
