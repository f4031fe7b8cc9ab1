import Records

/// The value of `--template`.
struct TemplateArgument: Equatable {
    let template: RecordTemplate

    init(argument: String) throws {
        if argument.isEmpty { throw BadValue(description: "write what to show, as in '{time:iso} {message}'") }
        do throws(RecordTemplate.Fault) {
            template = try RecordTemplate(argument)
        } catch {
            throw BadValue(description: "at byte \(error.offset + 1): \(error.description)")
        }
    }
}
