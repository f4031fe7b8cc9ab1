import Bus
import Records

/// Answers the calls of clients.
enum TapCalls {
    static func answer(_ message: [UInt8], on connection: TapConnection) {
        let call: VarlinkCall
        do throws(VarlinkCall.Malformed) {
            call = try VarlinkCall(message)
        } catch {
            connection.server.log("cut off \(connection.peer): \(error.reason)")
            return connection.refuse(.invalidMessage(error.reason))
        }
        do {
            let arguments = try arguments(of: call)
            // There is no other protocol to switch to.
            if call.wantsUpgrade { throw VarlinkError.invalidParameter("upgrade") }
            try answer(call, arguments, connection)
        } catch {
            guard !call.isOneway else { return }
            connection.send { VarlinkReply.append(self.error(of: error), to: &$0) }
        }
    }

    private static func error(of error: any Error) -> VarlinkError {
        switch error {
        case let error as VarlinkError: error
        case let error as JSONArguments.WrongType: .invalidParameter(error.name)
        default: .invalidMessage("\(error)")
        }
    }

    private static func arguments(of call: VarlinkCall) throws -> JSONArguments {
        let names = [
            "interface", "pattern", "after", "filter", "count", "seconds", "buffer", "announce", "framing", "topic",
            "value",
        ]
        guard let arguments = JSONArguments(call.parameters, named: names) else {
            throw VarlinkError.invalidParameter("parameters")
        }
        return arguments
    }

    private static func answer(_ call: VarlinkCall, _ arguments: JSONArguments, _ connection: TapConnection) throws {
        switch call.method {
        case "org.varlink.service.GetInfo": reply(call, connection) { info(connection.server.options, &$0) }
        case "org.varlink.service.GetInterfaceDescription":
            guard let interface = try arguments.text("interface") else {
                throw VarlinkError.invalidParameter("interface")
            }
            guard let text = TapInterface.description(of: interface) else {
                throw VarlinkError.interfaceNotFound(interface)
            }
            reply(call, connection) { $0.add("description", text) }
        case "\(TapInterface.name).Topics":
            let pattern = try pattern(arguments)
            let after = try arguments.text("after")
            reply(call, connection) { topics(connection.server.bus, pattern, after, &$0) }
        case "\(TapInterface.name).Inspect": reply(call, connection) { InspectReply.write(connection.server, to: &$0) }
        case "\(TapInterface.name).Post":
            try post(arguments, connection)
            reply(call, connection) { _ in }
        case "\(TapInterface.name).Watch": try watch(call, arguments, connection)
        default:
            guard TapInterface.description(of: call.interface) != nil else {
                throw VarlinkError.interfaceNotFound(call.interface)
            }
            throw VarlinkError.methodNotFound(call.method)
        }
    }

    private static func reply(_ call: VarlinkCall, _ connection: TapConnection, _ members: (inout ReplyMembers) -> Void)
    {
        guard !call.isOneway else { return }
        connection.send { VarlinkReply.append(to: &$0, members) }
    }

    private static func info(_ options: TapOptions, _ members: inout ReplyMembers) {
        members.add("vendor", "busctl-rx")
        members.add("product", options.product)
        members.add("version", options.version)
        members.add("url", "https://varlink.org")
        members.add("interfaces", texts: [TapInterface.serviceName, TapInterface.name])
    }

    /// The most topics that are sorted for one reply. Fewer fit into ``listLimit``.
    static let topicLimit = 4096

    private static func topics(
        _ bus: NotificationBus,
        _ pattern: TopicPattern,
        _ after: String?,
        _ members: inout ReplyMembers
    ) {
        let topics = bus.topics(matching: pattern, after: after, atMost: topicLimit)
        members.add("more", members.add("topics", topics) < topics.count)
    }

    private static func post(_ arguments: JSONArguments, _ connection: TapConnection) throws {
        guard let name = try arguments.text("topic"), let topic = try? TopicName(checking: name) else {
            throw VarlinkError.invalidParameter("topic")
        }
        let server = connection.server
        let (known, elsewhere) = (server.options.postings[topic], server.options.postElsewhere)
        guard known != nil || elsewhere != nil else { throw VarlinkError.postingNotAllowed(topic: name) }
        guard let value = arguments.json("value") else { throw VarlinkError.invalidParameter("value") }
        do {
            if let known { try known(server.bus, value) } else { try elsewhere?(topic, value) }
        } catch {
            throw VarlinkError.invalidValue(topic: name, reason: "\(error)")
        }
    }

    private static func pattern(_ arguments: JSONArguments) throws -> TopicPattern {
        guard let text = try arguments.text("pattern") else { return ">" }
        do {
            return try TopicPattern(checking: text)
        } catch {
            throw VarlinkError.invalidParameter("pattern")
        }
    }

    private static func watch(_ call: VarlinkCall, _ arguments: JSONArguments, _ connection: TapConnection) throws {
        let options = connection.server.options
        let pattern = try pattern(arguments)
        let filter = try arguments.text("filter").map { try TapFilter($0, options.filterLimits) }
        let count = try positive("count", arguments) ?? options.count
        let seconds = try positive("seconds", arguments)
        let buffer = try positive("buffer", arguments) ?? options.buffer
        let announces = try arguments.flag("announce")
        let framing = try framing(arguments)
        // A reply to this would go nowhere.
        if call.isOneway { return }
        guard call.wantsMore else { throw VarlinkError.expectedMore }
        // A client that connects again and again must not take each end for a watch that began and was lost.
        if connection.server.bus.isClosed {
            return connection.send { TapWatch.appendEnd("closed", to: &$0) }
        }
        let duration = seconds.map { Duration.seconds(min($0, 1 << 31)) } ?? options.duration
        connection.begin(
            TapWatch(
                connection,
                pattern: pattern,
                filter: filter,
                count: count,
                duration: duration,
                buffer: min(max(buffer, TapWatch.minBuffer), options.bufferLimit),
                announces: announces,
                framing: framing
            )
        )
    }

    private static func framing(_ arguments: JSONArguments) throws -> TapFraming {
        guard let name = try arguments.text("framing") else { return .json }
        guard let framing = TapFraming(rawValue: name) else { throw VarlinkError.invalidParameter("framing") }
        return framing
    }

    private static func positive(_ name: String, _ arguments: JSONArguments) throws -> Int? {
        guard let number = try arguments.number(name) else { return nil }
        guard number > 0 else { throw VarlinkError.invalidParameter(name) }
        return number
    }
}
