import Glibc

/// The variables that the starting process set for a service.
struct Environment {
    private let read: (String) -> String?

    /// The variable's value; nil when it is not set or empty, which systemd treats alike.
    func callAsFunction(_ name: String) -> String? {
        guard let value = read(name), !value.isEmpty else { return nil }
        return value
    }

    init(_ variables: [String: String]) {
        read = { variables[$0] }
    }

    private init() {
        read = { getenv($0).map { String(cString: $0) } }
    }

    static var process: Environment { Environment() }

    static func remove(_ names: String...) {
        for name in names { unsetenv(name) }
    }
}
