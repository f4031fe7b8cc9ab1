/// The value of `--by`: names of fields, separated by commas.
struct CountFields: Equatable {
    let names: [String]

    init(argument: String) throws {
        names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains(""), names.count <= 8 else {
            throw BadValue(description: "write at most eight names of fields, as in --by unit,priority")
        }
    }
}
