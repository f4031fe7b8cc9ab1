/// One reply to a call of a tap.
public struct TapReply: Sendable, Hashable {
    /// The text of a JSON object.
    public let parameters: [UInt8]
    /// Whether the call has more replies.
    public let continues: Bool

    /// The content of a message, without its zero byte.
    enum Reading {
        case reply(TapReply)
        case error(name: String, parameters: [UInt8])
        case malformed(reason: String)
    }

    static func read(_ message: ArraySlice<UInt8>) -> Reading {
        let members = message.withUnsafeBytes { JSONArguments($0, named: ["parameters", "error", "continues"]) }
        guard let members else { return .malformed(reason: "a reply is not a JSON object") }
        do throws(JSONArguments.WrongType) {
            let parameters = try members.object("parameters") ?? Array("{}".utf8)
            if let error = try members.text("error") { return .error(name: error, parameters: parameters) }
            return .reply(TapReply(parameters: parameters, continues: try members.flag("continues")))
        } catch {
            return .malformed(reason: "the member \"\(error.name)\" of a reply is of the wrong type")
        }
    }
}
