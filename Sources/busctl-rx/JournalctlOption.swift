/// Options of journalctl that were typed where a filter says the same.
enum JournalctlOption {
    /// What to write instead of the first of them; `nil` where there is none.
    static func advice(for arguments: some Sequence<String>) -> String? {
        var words = arguments.flatMap { $0.hasPrefix("-") ? $0.split(separator: " ").map(String.init) : [$0] }[...]
        while let word = words.popFirst() {
            guard word.hasPrefix("-"), word != "-", word != "--" else { continue }
            let (name, attached) = parts(of: word)
            let value = attached ?? words.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
            if let filter = filter(name, value) {
                return "\(name) is an option of journalctl; here it is a filter: '\(filter)'"
            }
        }
        return nil
    }

    /// The option's name and the value that is attached to it: `-unginx`, `--unit=nginx`.
    private static func parts(of word: String) -> (name: String, value: String?) {
        if word.hasPrefix("--") {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            return (parts[0], parts.count > 1 ? parts[1] : nil)
        }
        let value = String(word.dropFirst(2))
        return (String(word.prefix(2)), value.isEmpty ? nil : value)
    }

    private static func filter(_ name: String, _ value: String?) -> String? {
        let text = value.map { $0.filter { $0 != "\"" && $0 != "\\" && $0 != "'" } }
        return switch name {
        case "-u", "--unit": "unit == \"\(unit(text ?? "NAME"))\""
        case "-p", "--priority": "priority <= \(text ?? "err")"
        case "-g", "--grep": "message =~ \"\(text ?? "…")\""
        case "-t", "--identifier": "identifier == \"\(text ?? "…")\""
        case "-k", "--dmesg": "_TRANSPORT == \"kernel\""
        case "-b", "--boot": "boot == \"…\""
        case "-S", "--since": "age < duration(\"1h\")"
        case "-U", "--until": "age > duration(\"1h\")"
        default: nil
        }
    }

    private static func unit(_ name: String) -> String {
        name.contains(".") ? name : name + ".service"
    }
}
