/// Names with a meaning in the language.
package enum LanguageNames {
    /// The whole record, in front of the name of a field.
    static let record = "record"

    /// The field of this name behind that of the whole record, if by itself it is a name of the language: `type` of
    /// `record.type`.
    package static func qualified(_ name: String) -> String? {
        guard name.hasPrefix(record + ".") else { return nil }
        let field = String(name.dropFirst(record.count + 1))
        return reserved.contains(field) ? field : nil
    }

    /// The member that a name means to a schema which accepts every name. It leaves names of the language alone, unless
    /// they are qualified.
    package static func member(_ name: String) -> String? {
        qualified(name) ?? (reserved.contains(name) || name.contains(".") ? nil : name)
    }

    private static let reserved: Set<String> = [
        record, "now", "age", "bool", "int", "uint", "double", "string", "bytes", "list", "map", "type", "null_type",
        "optional_type", "optional", "math", "strings", "base64", "cel", "ip", "cidr", "net", "google",
    ]
}
