import Glibc
import TapBridge

/// The tap of a program, as it is typed: the path of its socket, with or without `unix:`, or its name.
struct TapArgument: Equatable {
    let path: String

    init(argument: String) throws {
        try self.init(operand: argument.hasPrefix("unix:") ? String(argument.dropFirst(5)) : argument)
    }

    /// - Parameter operand: what has a slash in it is a path. Anything else is a name, or if no tap has it, a path.
    init(operand: String) throws {
        if operand.isEmpty {
            throw BadValue(description: "write the path of a tap, or the name of one that 'busctl-rx sources' lists")
        }
        guard !operand.contains("/") else {
            path = operand
            return
        }
        let all = TapPath.all()
        let found = all.filter { $0.hasSuffix("/\(operand).tap") || $0.hasSuffix("/\(operand)") }
        switch found.count {
        case 1: path = found[0]
        case 0 where access(operand, F_OK) == 0: path = "./\(operand)"
        case 0:
            let known = all.isEmpty ? "" : "; there are \(all.joined(separator: ", "))"
            throw BadValue(
                description: "no program here serves a tap of this name\(known); write the path of its socket"
            )
        default:
            throw BadValue(
                description: "several programs serve a tap of this name: \(found.joined(separator: ", ")); write a path"
            )
        }
    }
}
