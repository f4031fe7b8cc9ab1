/// A mistake in the configuration file, or in its use.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    init(path: String, line: Int, _ text: String) {
        description = "\(path), line \(line): \(text)"
    }
}
