/// A filter that the other machine evaluates, by a command for its shell, so that only selected entries cross the network.
///
/// The filter is read from the standard input, which keeps its quotes and backslashes from the shell of the user who logs in. If
/// `busctl-rx` is not installed, is another build, which may understand the filter differently, or refuses the filter,
/// `journalctl` writes to the network itself. Every entry is evaluated here again. That finds entries that are too many, but
/// not those that were left out there, so that the builds have to be the same.
struct RemoteFilter: Sendable {
    let text: String
    /// This program's digest.
    let build: String

    /// The command.
    func words(_ journalctl: [String]) -> [String] { ["sh", "-c", Self.script, "sh", build] + journalctl }

    /// The standard input of the script. A printed filter is one line.
    ///
    /// The entry that reading goes on with comes, too, and one of a hundred others, so that this entry is always a recent one. 101 is a
    /// prime number: where a clock is coarse, and all times are multiples of its step, one of 101 is chosen as well.
    func input(_ place: RemoteRequest.Place) -> [UInt8] {
        var alternatives = ["(\(text))", "__REALTIME_TIMESTAMP % 101 == 0"]
        if case .cursor(let cursor) = place, let time = Self.time(of: cursor) {
            alternatives.append("__REALTIME_TIMESTAMP == \(time)")
        }
        return Array((alternatives.joined(separator: " || ") + "\n").utf8)
    }

    /// When the journal received the entry, in microseconds since 1970.
    private static func time(of cursor: String) -> Int64? {
        let part = cursor.split(separator: ";").first { $0.hasPrefix("t=") }
        return part.flatMap { Int64($0.dropFirst(2), radix: 16) }
    }

    /// One line without backslashes and `!`, because the user's shell may be no POSIX shell.
    ///
    /// A pipe has the status of its last command, so `journalctl` and `busctl-rx` tell theirs on the way: a part that fails ends the
    /// script with 1. `busctl-rx` ends with 1 when it selected nothing, which is no failure.
    private static let script = [
        "IFS= read -r filter; build=$1; shift",
        #"choose() { busctl-rx tail --no-config --from=export:- --lines=all --output=export -- "$filter"; }"#,
        #"test "$(busctl-rx ---build </dev/null 2>/dev/null)" = "$build" || exec journalctl "$@""#,
        #"choose </dev/null >/dev/null 2>&1; test $? -eq 1 || exec journalctl "$@""#,
        "exec 4>&1",
        #"ends=$({ { journalctl "$@" 3>&- 4>&-; echo $? >&3; } | \#(choosing); } 3>&1)"#,
        #"test "$ends" = 0"#,
    ].joined(separator: "; ")

    private static let choosing = "{ choose >&4 3>&- 4>&-; test $? -le 1 || echo failed >&3; }"
}
