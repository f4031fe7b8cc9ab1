extension Match: CustomStringConvertible {
    /// As `PRIORITY=3 and (UNIT=a or UNIT=b)`.
    public var description: String {
        switch self {
        case .everything: "everything"
        case .nothing: "nothing"
        case .term(let field, let value): "\(field)=\(Self.printable(value))"
        case .all(let parts): parts.map { $0.nested }.joined(separator: " and ")
        case .any(let parts): parts.map { $0.nested }.joined(separator: " or ")
        }
    }

    private var nested: String {
        switch self {
        case .all, .any: "(\(description))"
        default: description
        }
    }

    private static func printable(_ value: [UInt8]) -> String {
        DisplayWidth.printable(String(decoding: value, as: UTF8.self))
    }
}
