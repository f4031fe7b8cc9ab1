/// Options of journalctl that do not exist here, with their replacements.
enum JournalctlOption {
    static func advice(for option: String) -> String? {
        switch option {
        case "--no-full": "lines are never cut"
        case "-c", "--cursor": "--after-cursor begins behind the entry with a cursor"
        case "--after": "--after-match begins with the first record for which an expression is true"
        case "--synchronize-on-exit": "all that journald has written is shown"
        case "-M", "--machine", "--image", "--image-policy": "name where its journal is with --root or --directory"
        case "--header", "--disk-usage", "--vacuum-size", "--vacuum-files", "--vacuum-time", "--verify", "--verify-key",
            "--rotate", "--flush", "--sync", "--relinquish-var", "--smart-relinquish-var", "--setup-keys", "--interval",
            "--list-catalog", "--dump-catalog", "--update-catalog", "--new-id128", "--force":
            "use journalctl: nothing is changed or maintained here"
        default: nil
        }
    }
}
