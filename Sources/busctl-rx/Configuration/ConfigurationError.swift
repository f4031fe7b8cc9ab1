/// What is wrong with the configuration file, or with what was asked of it.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    init(path: String, line: Int, _ text: String) {
        description = "\(path), line \(line): \(text)"
    }
}
