/// A client's call: a message of the varlink protocol, without the zero byte behind it.
struct VarlinkCall: Equatable {
    let method: String
    /// The text of an object.
    let parameters: [UInt8]
    /// No reply is wanted.
    let isOneway: Bool
    /// More than one reply is wanted.
    let wantsMore: Bool
    /// The client asks to switch to another protocol after the reply.
    let wantsUpgrade: Bool

    /// A description of a message that is no call.
    struct Malformed: Error, Equatable {
        let reason: String
    }

    init(_ text: UnsafeRawBufferPointer) throws(Malformed) {
        guard let members = JSONArguments(text, named: ["method", "parameters", "oneway", "more", "upgrade"]) else {
            throw Malformed(reason: "a message must be a JSON object")
        }
        do throws(JSONArguments.WrongType) {
            guard let method = try members.text("method") else { throw JSONArguments.WrongType(name: "method") }
            self.method = method
            parameters = try members.object("parameters") ?? Array("{}".utf8)
            isOneway = try members.flag("oneway")
            wantsMore = try members.flag("more")
            wantsUpgrade = try members.flag("upgrade")
        } catch {
            throw Malformed(reason: "the member \"\(error.name)\" is missing or of the wrong type")
        }
    }

    init(_ text: [UInt8]) throws(Malformed) {
        let made = text.withUnsafeBytes { bytes in Result { () throws(Malformed) in try VarlinkCall(bytes) } }
        self = try made.get()
    }

    /// The part before the method's last dot.
    var interface: String { method.lastIndex(of: ".").map { String(method[..<$0]) } ?? "" }
}
