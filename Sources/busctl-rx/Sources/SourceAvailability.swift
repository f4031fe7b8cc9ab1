import Glibc
import JournalBridge

/// Whether a kind of source is available on this machine.
enum SourceAvailability {
    /// Why it is not.
    static func objection(to kind: SourceKind) -> String? {
        switch kind {
        case .journal: journalObjection
        case .dbus: busObjection
        case .nats: natsObjection
        case .ssh: objection(toMissing: "ssh", "openssh-client")
        case .https, .http: objection(toMissing: "curl", "curl")
        default: nil
        }
    }

    private static var journalObjection: String? {
        do throws(JournalError) {
            _ = try JournalBoot.all(in: .system)
            return nil
        } catch {
            return "not here: \(error.description)"
        }
    }

    /// Only whether this program can speak NATS.
    static var natsObjection: String? {
        #if NATS
            nil
        #else
            "not in this build: build it with 'swift build -c release --traits NATS --product busctl-rx'"
        #endif
    }

    private static func objection(toMissing program: String, _ package: String) -> String? {
        CommandArgument.isThere(program)
            ? nil : "not here: there is no \(program) in the directories of PATH; the package is \(package)"
    }

    /// Only of the system's bus, and only where it always is.
    private static var busObjection: String? {
        let path = "/run/dbus/system_bus_socket"
        guard getenv("DBUS_SYSTEM_BUS_ADDRESS") == nil, access(path, F_OK) != 0 else { return nil }
        return "not here: no bus of the system listens at \(path)"
    }
}
