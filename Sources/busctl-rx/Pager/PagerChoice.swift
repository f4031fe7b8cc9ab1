/// The pager for the output, and its options: systemd's rules, as in journalctl(1) under "Environment".
struct PagerChoice: Equatable, Sendable {
    /// Commands with their arguments. The first that can be started is taken.
    let commands: [[String]]
    /// The pager in the environment, if it may be started.
    let wanted: [String]?
    /// Additional variables for its environment; those with nil are removed.
    let variables: [String: String?]
    /// At ^C `less` goes back to its prompt, and this process does not react.
    let lessTakesInterrupts: Bool
    /// A warning about the variables.
    let warning: String?

    private static let lessOptions = "FRSXMK"

    /// `nil` where no pager is wanted.
    ///
    /// - Parameters:
    ///   - jumpsToEnd: whether `less` begins at the end.
    ///   - hasOwnRights: whether the user who logged in runs this process, and not another user for them, as sudo
    ///     does.
    init?(jumpsToEnd: Bool, _ environment: (String) -> String?, hasOwnRights: () -> Bool) {
        let named = (environment("SYSTEMD_PAGER") ?? environment("PAGER"))
            .map { $0.split(whereSeparator: { " \t\n\r".contains($0) }).map(String.init) }
        if named == [] || named == ["cat"] { return nil }
        // Whether the pager must not start programs or open other files.
        let security = environment("SYSTEMD_PAGERSECURE")
        let asked = security.flatMap { Bool(truth: $0) }
        let isUnknown = security != nil && asked == nil
        let isSecure = asked ?? (isUnknown || !(environment("SUDO_UID") == nil && hasOwnRights()))
        // A pager that is not known to be safe may start programs.
        wanted = asked == nil ? nil : named
        commands = (wanted.map { [$0] } ?? []) + (isSecure ? [["less"]] : [["pager"], ["less"], ["more"]])
        let options = environment("SYSTEMD_LESS") ?? Self.lessOptions
        var variables: [String: String?] = [
            "LESS": options + (jumpsToEnd ? " +G" : ""), "LESSSECURE": isSecure ? "1" : String?.none,
        ]
        if let charset = environment("SYSTEMD_LESSCHARSET") ?? (Self.isUTF8(environment) ? "utf-8" : nil) {
            variables["LESSCHARSET"] = charset
        }
        self.variables = variables
        lessTakesInterrupts = !options.contains("K")
        warning = isUnknown ? "SYSTEMD_PAGERSECURE is neither true nor false, and is taken for true" : nil
    }

    /// Whether the locale's texts are UTF-8; true where no locale is set.
    static func isUTF8(_ environment: (String) -> String?) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
        guard let locale else { return true }
        return locale.lowercased().replacing("-", with: "").contains(".utf8")
    }
}
