/// A machine that is reached through ssh: `[USER@]HOST[:PORT]`.
struct SSHAddress: Equatable, Sendable {
    let user: String?
    let host: String
    let port: Int?

    init(operand: String) throws(SourceArgumentError) {
        let at = operand.lastIndex(of: "@")
        user = at.map { String(operand[..<$0]) }
        let place = at.map { operand[operand.index(after: $0)...] } ?? operand[...]
        guard let (host, port) = Self.parts(place), Self.isWord(host), user.map(Self.isWord) ?? true else {
            throw SourceArgumentError(
                "write a host that ssh knows, as in ssh:web-1, ssh:admin@web-1:2222 or ssh:[fd00::1]:22"
            )
        }
        self.host = host
        self.port = port
    }

    /// As it is given to ssh.
    var destination: String { (user.map { "\($0)@" } ?? "") + host }

    /// Without a terminal, and without a question for a password that nobody could answer. Forwardings and a command
    /// that ssh_config has for the host are for other uses: the port of a forwarding may be taken.
    func arguments(_ request: RemoteRequest) -> [String] {
        let options = [
            "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=15", "-o", "ServerAliveInterval=15",
            "-o", "ServerAliveCountMax=3", "-o", "ClearAllForwardings=yes", "-o", "RemoteCommand=none",
        ]
        let reading = Self.journalctl(request)
        let words = request.counts?.words(reading) ?? request.filter?.words(reading) ?? ["journalctl"] + reading
        let command = words.map(ShellText.quoted).joined(separator: " ")
        return options + (port.map { ["-p", "\($0)"] } ?? []) + ["--", destination, command]
    }

    /// The arguments of journalctl on the other machine.
    private static func journalctl(_ request: RemoteRequest) -> [String] {
        var words = ["--quiet", "--no-pager", "--output=export"]
        if request.follows { words += ["--follow", "--no-tail"] }
        switch request.place {
        case .head(let since):
            if let since { words.append("--since=\(time(since))") }
        case .newest(let count, let since):
            words.append("--reverse")
            if let count { words.append("--lines=\(count)") }
            if let since { words.append("--since=\(time(since))") }
        case .cursor(let cursor): words.append("--cursor=\(cursor)")
        }
        if !request.follows, let until = request.until { words.append("--until=\(time(until))") }
        return words + request.alternatives
    }

    /// Seconds since 1970 with a fraction. The time of a journal is never negative.
    private static func time(_ microseconds: Int64) -> String {
        let time = max(microseconds, 0)
        let fraction = String(time % 1_000_000)
        return "@\(time / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }

    /// A host, in brackets if there are colons in it, and a port.
    private static func parts(_ place: Substring) -> (host: String, port: Int?)? {
        if place.first == "[" {
            guard let end = place.firstIndex(of: "]") else { return nil }
            let host = String(place[place.index(after: place.startIndex)..<end])
            let rest = place[place.index(after: end)...]
            if rest.isEmpty { return (host, nil) }
            guard rest.first == ":", let port = port(rest.dropFirst()) else { return nil }
            return (host, port)
        }
        let words = place.split(separator: ":", omittingEmptySubsequences: false)
        switch words.count {
        case 1: return (String(place), nil)
        case 2: return port(words[1]).map { (String(words[0]), $0) }
        default: return nil
        }
    }

    private static func port(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(text) else { return nil }
        return (1...65535).contains(port) ? port : nil
    }

    /// Whether it can be a part of the address. ssh takes a word that begins with `-` for an option.
    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.first != "-" && text.utf8.count <= 255
            && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"'\"\\$`;&|<>(){}*?!/".utf8.contains($0) }
    }
}
