import CLinux
import Glibc

/// The terminal of standard output, opened for ncurses.
struct TerminalFiles {
    let output: UnsafeMutablePointer<FILE>
    /// The same terminal, whatever standard input is.
    let input: UnsafeMutablePointer<FILE>

    init() throws(ScreenFailure) {
        guard isatty(STDOUT_FILENO) == 1 else {
            throw ScreenFailure(description: "standard output is not a terminal")
        }
        output = try Self.open(clinux_duplicate(STDOUT_FILENO), "w")
        do throws(ScreenFailure) {
            input = try Self.open(Self.readable(), "r")
        } catch {
            fclose(output)
            throw error
        }
    }

    func close() {
        fclose(input)
        fclose(output)
    }

    /// Terminals are usually open for both directions. Opening one anew fails for a user who did not log in there.
    private static func readable() -> CInt {
        if fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE == O_RDWR { return clinux_duplicate(STDOUT_FILENO) }
        let opened = Glibc.open("/proc/self/fd/\(STDOUT_FILENO)", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        return opened < 0 ? -errno : opened
    }

    private static func open(_ descriptor: CInt, _ mode: String) throws(ScreenFailure) -> UnsafeMutablePointer<FILE> {
        if descriptor >= 0, let file = fdopen(descriptor, mode) { return file }
        let reason = String(cString: strerror(descriptor < 0 ? -descriptor : errno))
        if descriptor >= 0 { Glibc.close(descriptor) }
        let purpose = mode == "r" ? "read keys from" : "write to"
        throw ScreenFailure(description: "cannot \(purpose) the terminal of standard output: \(reason)")
    }
}
