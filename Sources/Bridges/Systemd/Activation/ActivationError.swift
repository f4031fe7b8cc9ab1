import Bus
public import SystemPackage

/// Why descriptors that were passed on cannot be used.
public enum ActivationError: Error, Hashable, Sendable {
    /// A variable of the environment has an impossible value.
    case malformed(variable: String, value: String)
    /// A descriptor that was announced is not open.
    case notOpen(descriptor: FileDescriptor, errno: Errno)
    /// The descriptor under this name is not of the kind that the program needs.
    case unexpected(name: String, wanted: String, found: DescriptorKind)
    /// No descriptor has this name; these are the names there are.
    case missing(name: String, present: [String])
    /// A system call failed.
    case system(operation: String, errno: Errno)
}

extension ActivationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed(let variable, let value):
            "cannot take over descriptors: $\(variable) is \"\(value)\", which makes no sense"
        case .notOpen(let descriptor, let errno):
            "cannot take over descriptor \(descriptor.rawValue): \(SystemError.numbered(errno.rawValue)); "
                + "was it closed, or taken over before?"
        case .unexpected(let name, let wanted, let found):
            "cannot use the descriptor \"\(name)\": \(wanted) is needed, and it is \(found); see the .socket unit"
        case .missing(let name, let present):
            "no descriptor called \"\(name)\" was passed to this process; there "
                + (present.isEmpty ? "are none" : "is \(present.map { "\"\($0)\"" }.joined(separator: ", "))")
                + "; see FileDescriptorName= in the .socket unit"
        case .system(let operation, let errno):
            "cannot \(operation): \(SystemError.numbered(errno.rawValue))"
        }
    }
}
