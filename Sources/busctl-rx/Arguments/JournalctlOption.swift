/// Options of journalctl that do not exist here, with their replacements.
enum JournalctlOption {
    static func advice(for option: String) -> String? {
        switch option {
        case "-q", "--quiet": "hints go to standard error: leave it out, or write 2>/dev/null"
        case "-a", "--all": "-o json, export and cat show values whole: leave it out"
        case "-l", "--full": "lines are never cut: leave it out"
        case "--no-full": "lines are never cut"
        case "--no-tail": "write -n all"
        case "-c", "--cursor": "--after-cursor begins behind the entry with a cursor"
        case "--after": "--after-match begins with the first record for which an expression is true"
        case "-M", "--machine", "--image": "name where its journal is with --root or --directory"
        case "--case-sensitive":
            "-g finds text in any case if it has no capital letter; (?-i) or (?i) in front decides it"
        case "--header", "--disk-usage", "--vacuum-size", "--vacuum-files", "--vacuum-time", "--verify", "--verify-key",
            "--rotate", "--flush", "--sync", "--relinquish-var", "--smart-relinquish-var", "--setup-keys", "--interval",
            "--list-catalog", "--dump-catalog", "--update-catalog", "--new-id128", "--force":
            "use journalctl: nothing is changed or maintained here"
        default: nil
        }
    }
}
