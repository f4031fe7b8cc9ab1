import ArgumentParser

/// How many entries of history to show: `-n 20`, `-n all`.
enum EntryCount: ExpressibleByArgument, Equatable {
    case last(Int)
    case all

    init?(argument: String) {
        if argument == "all" {
            self = .all
        } else if let count = Int(argument), count >= 0 {
            self = .last(count)
        } else {
            return nil
        }
    }
}
