/// Which pager shows the output, and with what: systemd's rules, as journalctl(1) has them under "Environment".
struct PagerChoice: Equatable, Sendable {
    /// Commands with their arguments. The first that can be started is taken.
    let commands: [[String]]
    /// The one that the environment names, if it may be started.
    let wanted: [String]?
    /// What it finds in its environment beside this process's; those with nil are left out.
    let variables: [String: String?]
    /// `less` goes back to its prompt at ^C, and this process has no part in that.
    let lessTakesInterrupts: Bool
    /// What is to be told of the variables.
    let warning: String?

    private static let lessOptions = "FRSXMK"

    /// `nil` where no pager is wanted.
    ///
    /// - Parameters:
    ///   - jumpsToEnd: whether `less` begins at the end.
    ///   - hasOwnRights: whether the user who logged in runs this process, and not another one for them, as sudo does.
    init?(jumpsToEnd: Bool, _ environment: (String) -> String?, hasOwnRights: () -> Bool) {
        let named = (environment("SYSTEMD_PAGER") ?? environment("PAGER"))
            .map { $0.split(whereSeparator: { " \t\n\r".contains($0) }).map(String.init) }
        if named == [] || named == ["cat"] { return nil }
        let security = PagerSecurity(environment("SYSTEMD_PAGERSECURE"))
        let isSecure = security.isSecure ?? !(environment("SUDO_UID") == nil && hasOwnRights())
        // A pager that nobody has vouched for may start programs.
        wanted = security == .asked(isSecure) ? named : nil
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
        warning = security == .unknown ? "SYSTEMD_PAGERSECURE is neither true nor false, and is taken for true" : nil
    }

    /// Whether texts of the locale are UTF-8, as they are where none is set.
    private static func isUTF8(_ environment: (String) -> String?) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }
        guard let locale else { return true }
        return locale.lowercased().replacing("-", with: "").contains(".utf8")
    }
}
