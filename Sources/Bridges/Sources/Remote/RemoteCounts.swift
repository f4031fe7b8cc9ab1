import FilterBridge
import Records

/// A question to another machine's `busctl-rx count`, as a command for its shell.
///
/// If it is not installed, or does not take these arguments because its counts have another version or it refuses the filter,
/// `journalctl` writes the entries over the same connection. The filter is read from the standard input, as in ``RemoteFilter``.
struct RemoteCounts: Sendable {
    let grouping: RecordGrouping
    private let filter: String

    /// `nil` where the machine's answer could be another one than that of its records here: where their times are corrected,
    /// or the filter depends on the machine that evaluates it.
    init?(_ request: SourceRequest, by grouping: RecordGrouping) {
        guard !request.follows, request.tally == nil, request.count() == nil, request.shift == 0,
            // Its zone may be another one.
            grouping.calendar == nil
        else { return nil }
        if let filter = request.filter {
            guard let text = filter.textForJournalAlone(comparesTimes: true) else { return nil }
            self.filter = text
        } else {
            filter = ""
        }
        self.grouping = grouping
    }

    /// The command.
    func words(_ journalctl: [String]) -> [String] {
        let fields = grouping.fields.map(\.text).joined(separator: ",")
        let span = grouping.span.map { "\($0)us" } ?? ""
        return ["sh", "-c", Self.script, "sh", "\(CountLines.version)", fields, span] + journalctl
    }

    /// The standard input of the script. A printed filter is one line.
    var input: [UInt8] { Array("\(filter)\n".utf8) }

    /// One line without backslashes and `!`, because the user's shell may be no POSIX shell.
    ///
    /// The machine first tries the arguments on an empty stream, which has nothing to count: status 1.
    private static let script = [
        "IFS= read -r filter; version=$1; fields=$2; span=$3; shift 3",
        #"count() { busctl-rx count --no-config --framed="$version" --output=json ${fields:+"--by=$fields"} "#
            + #"${span:+"--every=$span"} "$@" -- ${filter:+"$filter"} </dev/null; }"#,
        #"count --from=export:- >/dev/null 2>&1; test $? -eq 1 || exec journalctl "$@""#,
        "count; code=$?; test $code -le 1 || exit $code",
    ].joined(separator: "; ")
}
