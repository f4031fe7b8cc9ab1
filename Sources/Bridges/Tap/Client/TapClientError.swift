import Bus
public import SystemPackage

/// Why a call of a tap was not answered.
public enum TapClientError: Error, Hashable, Sendable {
    /// Nothing listens at the path, or the system refuses.
    case cannotConnect(path: String, errno: Errno)
    /// The connection ended before the call was answered: the program has ended, or it cut the client off.
    case disconnected(path: String)
    /// The program ended the watch, because it closes its bus or its tap.
    case closed(path: String)
    /// A reply is not in the form that a tap sends.
    case malformedReply(path: String, reason: String)
    /// The tap refused the call with an error of varlink. `parameters` is the text of a JSON object.
    case refused(path: String, error: String, parameters: [UInt8])
}

extension TapClientError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotConnect(let path, let errno):
            "cannot connect to \(path): \(SystemError.numbered(errno.rawValue))\(Self.advice(errno))"
        case .disconnected(let path): "the program that serves \(path) has ended, or has cut this client off"
        case .closed(let path): "the program that serves \(path) has closed it"
        case .malformedReply(let path, let reason): "\(path) is no tap: \(reason)"
        case .refused(let path, let error, let parameters): "\(path): \(Self.reason(error, parameters))"
        }
    }

    private static func advice(_ errno: Errno) -> String {
        switch errno {
        case .noSuchFileOrDirectory: "; there is no such socket"
        case .connectionRefused: "; the program that made this socket has ended"
        case .permissionDenied: "; the socket belongs to another user"
        case .resourceTemporarilyUnavailable: "; too many clients are waiting"
        default: ""
        }
    }

    private static func reason(_ error: String, _ parameters: [UInt8]) -> String {
        let names = ["message", "line", "column", "topic", "reason", "limit", "parameter", "method"]
        let known = JSONArguments(parameters, named: names)
        func text(_ name: String) -> String { known.flatMap { try? $0.text(name) } ?? "?" }
        func number(_ name: String) -> Int { known.flatMap { try? $0.number(name) } ?? 0 }
        switch error {
        case "org.varlink.service.PermissionDenied": return "this user may not look in"
        case "org.varlink.service.MethodNotFound": return "it has no method \(text("method")); it is of another version"
        case "org.varlink.service.InterfaceNotFound": return "the program that listens there serves no tap"
        case "org.varlink.service.InvalidParameter": return "it refuses the parameter \(text("parameter"))"
        case "\(TapInterface.name).TooManyConnections": return "it has \(number("limit")) clients, which is its limit"
        case "\(TapInterface.name).InvalidFilter":
            return "it refuses the filter, at line \(number("line")), column \(number("column")): \(text("message"))"
        case "\(TapInterface.name).FilterTooCostly":
            return "the filter takes more time than the program allows; a simpler one takes less"
        case "\(TapInterface.name).PostingNotAllowed": return "nobody may post on the topic \(text("topic"))"
        case "\(TapInterface.name).InvalidValue":
            return "the topic \(text("topic")) does not take this value: \(text("reason"))"
        case "\(TapInterface.name).MessageTooLong": return "a call may have \(number("limit")) bytes"
        default: return "it answers with the error \(error)"
        }
    }

    /// Whether the tap refused the filter only because it would cost too much.
    package var isFilterOverLimit: Bool {
        guard case .refused(_, "\(TapInterface.name).InvalidFilter", let parameters) = self else { return false }
        return JSONArguments(parameters, named: ["over_limit"]).flatMap { try? $0.flag("over_limit") } ?? false
    }

    /// Whether another attempt may succeed once the program runs again.
    package var isTemporary: Bool {
        switch self {
        case .cannotConnect(_, let errno):
            [.noSuchFileOrDirectory, .connectionRefused, .resourceTemporarilyUnavailable].contains(errno)
        case .disconnected, .closed: true
        case .malformedReply, .refused: false
        }
    }
}
