/// How many entries of history to show: `-n 20`, `-n all`.
enum EntryCount: Equatable {
    case last(Int)
    case all

    init(argument: String) throws {
        if argument == "all" {
            self = .all
        } else if let count = Int(argument), count >= 0 {
            self = .last(count)
        } else {
            throw BadValue(description: "write a whole number, as in -n 20, or -n all for every entry there is")
        }
    }
}
