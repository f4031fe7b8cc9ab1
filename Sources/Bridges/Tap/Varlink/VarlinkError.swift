/// The reason why a call has no reply: an error's name in an interface, and its parameters.
enum VarlinkError: Error, Equatable {
    case interfaceNotFound(String)
    case methodNotFound(String)
    case invalidParameter(String)
    case expectedMore
    case permissionDenied
    case invalidMessage(String)
    case messageTooLong(limit: Int)
    case tooManyConnections(limit: Int)
    case invalidFilter(message: String, line: Int, column: Int, isOverLimit: Bool)
    case filterTooCostly
    case postingNotAllowed(topic: String)
    case invalidValue(topic: String, reason: String)

    var name: String {
        switch self {
        case .interfaceNotFound: "org.varlink.service.InterfaceNotFound"
        case .methodNotFound: "org.varlink.service.MethodNotFound"
        case .invalidParameter: "org.varlink.service.InvalidParameter"
        case .expectedMore: "org.varlink.service.ExpectedMore"
        case .permissionDenied: "org.varlink.service.PermissionDenied"
        case .invalidMessage: "\(TapInterface.name).InvalidMessage"
        case .messageTooLong: "\(TapInterface.name).MessageTooLong"
        case .tooManyConnections: "\(TapInterface.name).TooManyConnections"
        case .invalidFilter: "\(TapInterface.name).InvalidFilter"
        case .filterTooCostly: "\(TapInterface.name).FilterTooCostly"
        case .postingNotAllowed: "\(TapInterface.name).PostingNotAllowed"
        case .invalidValue: "\(TapInterface.name).InvalidValue"
        }
    }

    func write(parameters: inout ReplyMembers) {
        switch self {
        case .interfaceNotFound(let interface): parameters.add("interface", interface)
        case .methodNotFound(let method): parameters.add("method", method)
        case .invalidParameter(let parameter): parameters.add("parameter", parameter)
        case .expectedMore, .permissionDenied, .filterTooCostly: break
        case .invalidMessage(let reason): parameters.add("reason", reason)
        case .messageTooLong(let limit), .tooManyConnections(let limit): parameters.add("limit", limit)
        case .invalidFilter(let message, let line, let column, let isOverLimit):
            parameters.add("message", message)
            parameters.add("line", line)
            parameters.add("column", column)
            parameters.add("over_limit", isOverLimit)
        case .postingNotAllowed(let topic): parameters.add("topic", topic)
        case .invalidValue(let topic, let reason):
            parameters.add("topic", topic)
            parameters.add("reason", reason)
        }
    }
}
