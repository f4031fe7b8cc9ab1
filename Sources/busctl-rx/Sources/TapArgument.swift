import RecordSources

/// The tap of a program, as it is typed: the path of its socket, with or without `unix:`, or its name.
struct TapArgument: Equatable {
    let path: String

    init(argument: String) throws {
        path = try TapRecords.socket(named: argument.hasPrefix("unix:") ? String(argument.dropFirst(5)) : argument)
    }
}
