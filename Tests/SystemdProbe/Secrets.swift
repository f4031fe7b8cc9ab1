import SystemdBridge

/// Reads the credentials that it was started with.
enum Secrets {
    static func run(names: some Sequence<String>) {
        for name in names {
            do throws(CredentialError) {
                print("\(name): \(try Credentials().text(name))")
            } catch {
                print("error: \(error)")
            }
        }
    }
}
