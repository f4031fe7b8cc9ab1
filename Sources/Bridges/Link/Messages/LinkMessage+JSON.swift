import JSONScan
import Records
import TapBridge

extension LinkMessage {
    private static let names = ["sender", "from", "sequence", "time", "origin", "traceparent", "value"]

    /// The message as one JSON object, for a tap. The payload is JSON.
    var json: [UInt8] {
        var output = OutputBuffer(capacity: payload.count + 512)
        output.append("{\"sender\":")
        output.append(json: sender.id)
        output.append(",\"from\":")
        output.append(json: sender.name)
        output.append(",\"sequence\":")
        output.append(decimal: sequence)
        output.append(",\"time\":")
        output.append(text: "\(time)")
        output.append(",\"origin\":")
        output.append(json: origin)
        if let traceparent {
            output.append(",\"traceparent\":")
            output.append(json: traceparent.text)
        }
        output.append(",\"value\":")
        payload.withUnsafeBytes { output.append($0) }
        output.append("}")
        return output.withBytes { Array($0) }
    }

    /// Whether a value, which is JSON, is nested deeper than ``depthLimit``.
    static func isTooDeep(_ payload: [UInt8]) -> Bool {
        payload.withUnsafeBytes { JSONMembers.isNested($0, deeperThan: depthLimit) }
    }

    static let tooDeep = "it has more than \(depthLimit) objects and lists within each other"

    init(json: [UInt8]) throws(LinkFlaw) {
        guard let members = JSONArguments(json, named: Self.names) else { throw LinkFlaw("it is no JSON object") }
        guard let payload = members.json("value") else { throw LinkFlaw("it has no value") }
        func member<Value>(_ read: () throws(JSONArguments.WrongType) -> Value) throws(LinkFlaw) -> Value {
            do throws(JSONArguments.WrongType) {
                return try read()
            } catch {
                throw LinkFlaw("its member \"\(error.name)\" is of the wrong type")
            }
        }
        try self.init(
            sender: try member { () throws(JSONArguments.WrongType) in try members.text("sender") },
            name: try member { () throws(JSONArguments.WrongType) in try members.text("from") },
            sequence: try member { () throws(JSONArguments.WrongType) in
                try members.number("sequence").flatMap { UInt64(exactly: $0) }
            },
            time: try member { () throws(JSONArguments.WrongType) in try members.number("time").map { Int64($0) } },
            origin: try member { () throws(JSONArguments.WrongType) in try members.text("origin") },
            traceparent: try member { () throws(JSONArguments.WrongType) in try members.text("traceparent") },
            payload: payload
        )
    }
}
