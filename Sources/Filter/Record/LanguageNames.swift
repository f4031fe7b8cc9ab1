/// Names with a meaning in the language.
package enum LanguageNames {
    /// The whole record, in front of the name of a field.
    static let record = "record"

    /// A schema that accepts every name leaves these alone.
    package static let reserved: Set<String> = [
        record, "now", "age", "bool", "int", "uint", "double", "string", "bytes", "list", "map", "type", "null_type",
        "optional_type", "optional", "math", "strings", "base64", "cel", "ip", "cidr", "net", "google",
    ]
}
