import Records

extension Duration {
    /// The value of an option.
    init(argument: String) throws {
        guard let duration = Duration(written: argument) else { throw BadValue(description: Self.writtenForm) }
        self = duration
    }

    /// The value of `--order-window`: a duration, or 0.
    static func window(_ text: String) throws -> Duration {
        if text == "0" { return .zero }
        guard let duration = Duration(written: text) else {
            throw BadValue(description: "write a duration, as in 100ms or 2s, or 0 for the order of arrival")
        }
        return duration
    }
}
