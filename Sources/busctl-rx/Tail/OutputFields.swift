/// The value of `--output-fields`: names of fields, separated by commas.
struct OutputFields: Equatable {
    let names: [String]

    init(argument: String) throws {
        names = argument.split(separator: ",").map(String.init)
        guard !names.isEmpty else {
            throw BadValue(description: "write names of fields, as in --output-fields MESSAGE,_PID")
        }
    }
}
