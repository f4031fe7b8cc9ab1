extension Function {
    /// How it is written, for a person who got it wrong.
    func usage(on receiver: String? = nil) -> String {
        if !isMember || (isGlobal && receiver == nil) {
            return "\(rawValue)(\(Self.example(self) ?? (signatures.first?.parameters.isEmpty == true ? "" : "x")))"
        }
        return "\(receiver ?? "x").\(rawValue)(\(Self.example(self) ?? ""))"
    }

    private static func example(_ function: Function) -> String? {
        switch function {
        case .startsWith, .endsWith, .contains, .indexOf, .lastIndexOf: "\"text\""
        case .matches: "\"regular expression\""
        case .duration: "\"1h30m\""
        case .timestamp: "\"2024-01-31T12:00:00Z\""
        case .charAt, .substring: "2"
        case .split: "\",\""
        case .replace: "\"old\", \"new\""
        case .format: "[x]"
        case .ip, .isIP, .isCanonical, .containsIP: "\"192.168.0.1\""
        case .cidr, .isCIDR, .containsCIDR: "\"192.168.0.0/24\""
        case .greatest, .least, .bitAnd, .bitOr, .bitXor: "x, y"
        case .bitShiftLeft, .bitShiftRight: "x, 2"
        case .or: "optional.of(y)"
        case .orValue: "y"
        default: nil
        }
    }
}
