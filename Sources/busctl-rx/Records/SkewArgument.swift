import Records

/// The value of `--skew`: `SOURCE=±DURATION`, the correction to the times of a source whose clock is wrong.
struct SkewArgument: Equatable {
    let source: String
    let duration: Duration

    init(argument: String) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, let sign = parts[1].first, sign == "+" || sign == "-" else {
            throw BadValue(description: "write the name of a source, =, a sign and a duration, as in web=+1500ms")
        }
        let duration = try Duration(argument: String(parts[1].dropFirst()))
        source = parts[0]
        self.duration = sign == "-" ? .zero - duration : duration
    }
}
