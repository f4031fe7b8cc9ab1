import Glibc
import JournalBridge

/// Whether a kind of source is to be had on this machine.
enum SourceAvailability {
    /// Why it is not.
    static func objection(to kind: SourceKind) -> String? {
        guard kind == .journal else { return nil }
        do throws(JournalError) {
            _ = try JournalBoot.all(in: .system)
            return nil
        } catch {
            return "not here: \(error.description)"
        }
    }
}
