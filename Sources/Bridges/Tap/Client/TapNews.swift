/// An element of a watch of a tap.
public enum TapNews: Sendable {
    /// The watch has begun: events that are posted from now on are sent.
    case began
    /// Something was posted.
    case event(TapEvent)
    /// Events are missing here.
    case gap(lost: Int, reason: String)
    /// Nothing up to here passed the filter: the number of the last event that was looked at, by topic.
    case position([Position])

    /// A place in a topic.
    public struct Position: Sendable, Hashable {
        /// The topic's name.
        public let topic: String
        /// The number of the last event on the topic that was looked at.
        public let sequence: UInt64
    }

    /// A reply to `Watch`, read.
    enum Reading {
        case news(TapNews)
        /// The watch has begun. If a framing is named, it follows.
        case began(framing: String?)
        case end(reason: String)
        /// A kind of record that this version does not know.
        case unknown
    }

    static func read(_ parameters: [UInt8]) throws(JSONArguments.WrongType) -> Reading {
        guard let event = TapEvent(parameters) else { throw JSONArguments.WrongType(name: "parameters") }
        guard event.kind != .event else { return .news(.event(event)) }
        guard let members = JSONArguments(parameters, named: ["kind", "lost", "reason", "positions", "framing"]) else {
            throw JSONArguments.WrongType(name: "parameters")
        }
        switch try members.text("kind") {
        case "begin": return .began(framing: try members.text("framing"))
        case "gap":
            guard let lost = try members.number("lost"), lost >= 0 else { throw JSONArguments.WrongType(name: "lost") }
            return .news(.gap(lost: lost, reason: try members.text("reason") ?? ""))
        case "position":
            return .news(.position(try positions(members.json("positions") ?? [])))
        case "end": return .end(reason: try members.text("reason") ?? "")
        case nil: throw JSONArguments.WrongType(name: "kind")
        default: return .unknown
        }
    }

    private static func positions(_ list: [UInt8]) throws(JSONArguments.WrongType) -> [Position] {
        var positions: [Position] = []
        for element in JSONList.elements(of: list) {
            let members = JSONArguments(element, named: ["topic", "sequence"])
            guard let topic = try members?.text("topic"), let number = try members?.number("sequence"), number >= 0
            else { throw JSONArguments.WrongType(name: "positions") }
            positions.append(Position(topic: topic, sequence: UInt64(number)))
        }
        return positions
    }
}
