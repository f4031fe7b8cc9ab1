public import Filter

/// Suggestions, look-ups and objections; none of them changes the meaning of a name.
extension JournalSchema {
    public var synonyms: [String: String] { Self.otherNames }

    /// A user's name for `uid`, a group's for `_GID`, as this machine knows them. The look-up may ask a server on the
    /// network, and takes as long.
    public func number(for name: String, in field: FieldDefinition) -> NamedNumber? {
        // A number in quotes is no name, even if a user has that name.
        guard !name.isEmpty, !name.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D }) else { return nil }
        switch field.name {
        case "_UID": return AccountNames.user(name)
        case "_GID": return AccountNames.group(name)
        default: return nil
        }
    }

    public func objection(to text: String, in field: FieldDefinition) -> FieldObjection? {
        switch field.name {
        case "unit", "_SYSTEMD_UNIT", "_SYSTEMD_USER_UNIT":
            let hasKind = Self.unitKinds.contains { text.hasSuffix($0) && text != $0 }
            guard !hasKind || text.contains("*") else { return nil }
            let isName = !text.isEmpty && !text.hasSuffix(".") && !text.contains("*")
            return FieldObjection(
                reason: "the name of a unit ends in its kind, such as .service or .socket",
                correction: isName ? text + ".service" : nil
            )
        case "_SYSTEMD_SLICE", "_SYSTEMD_USER_SLICE":
            guard !text.hasSuffix(".slice") else { return nil }
            let isName = !text.isEmpty && !text.contains(".") && !text.contains("*")
            return FieldObjection(
                reason: "the name of a slice ends in .slice",
                correction: isName ? text + ".slice" : nil
            )
        case "_BOOT_ID", "_MACHINE_ID": return Self.objection(toID: text, of: field.name)
        default: return nil
        }
    }

    private static func objection(toID text: String, of field: String) -> FieldObjection? {
        func isID(_ text: String) -> Bool {
            text.utf8.count == 32
                && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        }
        guard !isID(text) else { return nil }
        let plain = text.lowercased().replacing("-", with: "")
        let (owner, source) =
            field == "_BOOT_ID"
            ? ("boot", "journalctl --list-boots shows them") : ("machine", "this one's is in /etc/machine-id")
        return FieldObjection(
            reason: "a \(owner)'s ID has 32 digits, 0 to 9 and a to f; \(source)",
            correction: isID(plain) ? plain : nil
        )
    }

    private static let unitKinds = [
        ".service", ".socket", ".device", ".mount", ".automount", ".swap", ".target", ".path", ".timer", ".slice",
        ".scope", ".snapshot",
    ]

    private static let otherNames = [
        // Fields
        "hostname": "host", "machine": "host", "server": "host", "node": "host",
        "service": "unit", "systemd_unit": "_SYSTEMD_UNIT", "daemon": "unit", "unitname": "unit",
        "level": "priority", "severity": "priority", "prio": "priority", "pri": "priority", "loglevel": "priority",
        "log_level": "priority", "lvl": "priority", "syslog_severity": "priority",
        "user": "uid", "username": "uid", "userid": "uid", "user_id": "uid", "owner": "uid",
        "gid": "_GID", "group": "_GID", "groupid": "_GID", "group_id": "_GID",
        "comm": "_COMM", "command": "_COMM", "process": "_COMM", "procname": "_COMM", "process_name": "_COMM",
        "cmd": "_CMDLINE", "cmdline": "_CMDLINE", "commandline": "_CMDLINE", "args": "_CMDLINE",
        "exe": "_EXE", "executable": "_EXE", "binary": "_EXE",
        "slice": "_SYSTEMD_SLICE", "cgroup": "_SYSTEMD_CGROUP", "session": "_SYSTEMD_SESSION",
        "invocation": "_SYSTEMD_INVOCATION_ID", "scope": "unit",
        "program": "identifier", "programname": "identifier", "tag": "identifier", "app": "identifier",
        "appname": "identifier", "application": "identifier", "ident": "identifier", "logger": "identifier",
        "process_id": "pid", "processid": "pid",
        "msg": "message", "text": "message", "body": "message", "log": "message", "line": "message",
        "timestamp": "time", "date": "time", "datetime": "time", "ts": "time", "realtime": "time", "since": "time",
        "transport": "_TRANSPORT", "facility": "SYSLOG_FACILITY", "bootid": "boot", "boot_id": "boot",
        "file": "CODE_FILE", "func": "CODE_FUNC", "lineno": "CODE_LINE", "cursor": "__CURSOR",
        // Priorities
        "error": "err", "errors": "err", "warn": "warning", "warnings": "warning", "critical": "crit",
        "fatal": "crit", "emergency": "emerg", "panic": "emerg", "information": "info", "informational": "info",
        "trace": "debug", "verbose": "debug",
    ]
}
