import Glibc
import SystemdBridge

/// Tries everything without a free descriptor.
enum Exhaustion {
    static func run(notify: String, journal: String) {
        let (openManager, openWriter) = (ServiceManager(socket: notify), JournalWriter(socket: journal))
        attempt("before") { try openManager.notify(.ready) }
        attempt("before") { try openWriter.write(JournalMessage("before")) }

        var limit = rlimit(rlim_cur: 64, rlim_max: 64)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        while open("/dev/null", O_RDONLY) >= 0 {}

        attempt("notify") { try ServiceManager(socket: notify).notify(.ready) }
        attempt("barrier") { try openManager.barrier() }
        attempt("journal") { try JournalWriter(socket: journal).write(JournalMessage("a")) }
        attempt("large") { try openWriter.write(JournalMessage(String(repeating: "x", count: 10_000_000))) }
        attempt("credential") { _ = try Credentials(directory: "/etc").read("hostname") }
        // Sockets opened before still work.
        attempt("open manager") { try openManager.notify(.stopping) }
        attempt("open writer") { try openWriter.write(JournalMessage("after")) }
    }

    private static func attempt<Result>(_ what: String, _ body: () throws -> Result) {
        do {
            _ = try body()
            print("\(what): done")
        } catch {
            print("\(what): \(error)")
        }
    }
}
