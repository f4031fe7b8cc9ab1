/// A mistake in the configuration file, or in its use.
struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    let description: String
    /// Whether it is that this user may not read a file that nobody has named. All but its filters is done without it.
    let isForbidden: Bool

    init(_ description: String, isForbidden: Bool = false) {
        self.description = description
        self.isForbidden = isForbidden
    }

    init(path: String, line: Int, _ text: String) {
        self.init("\(path), line \(line): \(text)")
    }
}
