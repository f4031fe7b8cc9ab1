import Records

/// The value of `--template`.
struct TemplateArgument: Equatable {
    let template: RecordTemplate
    /// The names in its braces.
    let names: [String]

    init(argument: String) throws {
        names = argument.replacing("{{", with: "").split(separator: "{", omittingEmptySubsequences: false).dropFirst()
            .map { String($0.prefix { !":|}".contains($0) }) }
        do throws(RecordTemplate.Fault) {
            template = try RecordTemplate(argument)
        } catch {
            throw BadValue(description: "at byte \(error.offset + 1): \(error.description)")
        }
    }
}
