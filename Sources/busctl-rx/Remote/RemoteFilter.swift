/// What the other machine's shell does to evaluate a filter there, so that only what is selected crosses the network.
///
/// The filter is read from the standard input, which keeps its quotes and backslashes from the shell of the user who logs in. If
/// `busctl-rx` is not installed, is of another version, which may understand the filter differently, or refuses the filter,
/// `journalctl` writes to the network itself. Everything that comes is evaluated here again.
enum RemoteFilter {
    static func words(_ journalctl: [String]) -> [String] {
        ["sh", "-c", script, "sh", BusctlRx.version] + journalctl
    }

    /// The standard input of the script. A printed filter is one line.
    ///
    /// One of a hundred other entries comes, too, so that reading never has to go on far behind the newest entry. Times differ in their
    /// microseconds, and by a prime number those of a coarse clock are chosen as often.
    static func input(_ filter: String) -> [UInt8] {
        Array("(\(filter)) || __REALTIME_TIMESTAMP % 101 == 0\n".utf8)
    }

    /// One line without backslashes and `!`, because the user's shell may be no POSIX shell.
    ///
    /// A pipe has the status of its last command, so `journalctl` and `busctl-rx` tell theirs on the way: a part that fails ends the
    /// script with 1. `busctl-rx` ends with 1 when it selected nothing, which is no failure.
    private static let script = [
        "IFS= read -r filter; version=$1; shift",
        #"chosen() { busctl-rx tail --no-config --from=export:- --lines=all --output=export -- "$filter"; }"#,
        #"test "$(busctl-rx --version </dev/null 2>/dev/null)" = "$version" || exec journalctl "$@""#,
        #"chosen </dev/null >/dev/null 2>&1; test $? -eq 1 || exec journalctl "$@""#,
        "exec 4>&1",
        #"ends=$({ { journalctl "$@" 3>&- 4>&-; echo $? >&3; } | \#(choice); } 3>&1)"#,
        #"test "$ends" = 0"#,
    ].joined(separator: "; ")

    private static let choice = "{ chosen >&4 3>&- 4>&-; test $? -le 1 || echo failed >&3; }"
}
