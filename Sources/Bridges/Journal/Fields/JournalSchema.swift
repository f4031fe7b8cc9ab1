public import Filter
import Synchronization

/// The fields of a journal entry, as a filter expression may name them.
///
/// Every name that a journal field can have (upper-case letters, digits, underscores) is a field of its own. There
/// are also short names: `message`, `priority` (0...7, with `emerg` to `debug` as constants), `unit`, `identifier`,
/// `pid`, `uid`, `host`, `time` and `boot`. `unit` has the meaning of `journalctl --unit`: the unit that the entry is
/// about. An entry may be about two units, as when a process of one unit reports on another; `unit ==` and `unit in`
/// then find it under either name. `uid == "root"` takes a user's name, and `_GID == "adm"` a group's, as this
/// machine knows them. `time` is ``JournalEntry/time``. If an entry has a field more than once, the first value
/// counts. Make one schema for each filter and hand it on together with the filter: the schema remembers which fields
/// were asked for.
public final class JournalSchema: FieldSchema {
    private struct Table: ~Copyable {
        var ids: [String: Int] = [:]
        var layout = FieldLayout()
    }

    private let table = Mutex(Table())

    /// A schema for one filter, with no field asked for yet.
    public init() {}

    public var constants: [String: Int64] {
        ["emerg": 0, "alert": 1, "crit": 2, "err": 3, "warning": 4, "notice": 5, "info": 6, "debug": 7]
    }

    public var knownNames: [String] {
        Self.shortNames.keys.sorted() + Self.commonNames
    }

    public var timeField: String? { "time" }

    public func field(named name: String) -> FieldDefinition? {
        field(named: name, isRepeated: false)
    }

    public func repeatedField(named name: String) -> FieldDefinition? {
        field(named: name, isRepeated: true)
    }

    private func field(named name: String, isRepeated: Bool) -> FieldDefinition? {
        let journalName = Self.shortNames[name] ?? name
        guard name == "unit" || name == "time" || Self.isJournalName(journalName) else { return nil }
        let kind = name == "time" ? .time : Self.kind(of: journalName)
        let id = table.withLock { table in
            if let known = table.ids[name], !isRepeated { return known }
            let id = table.layout.add(journalName, kind, unit: name == "unit", isRepeated: isRepeated)
            if !isRepeated { table.ids[name] = id }
            return id
        }
        let fieldID = FieldID(rawValue: id)
        return switch kind {
        case .int(let range): FieldDefinition(id: fieldID, name: journalName, type: .int, range: range)
        case .text:
            FieldDefinition(
                id: fieldID,
                name: journalName,
                type: .string,
                hasAlternatives: name == "unit" && !isRepeated
            )
        case .time: FieldDefinition(id: fieldID, name: name, type: .timestamp)
        }
    }

    public func match(_ field: FieldDefinition, equals value: MatchValue) -> Match? {
        guard !field.name.hasPrefix("__") else { return nil }
        let bytes: [UInt8]
        switch value {
        case .int(let number): bytes = Array(String(number).utf8)
        case .text(let text): bytes = text
        }
        return switch field.name {
        case "unit": Self.match(unit: bytes)
        case "time": nil
        default: .term(field: field.name, value: bytes)
        }
    }

    /// The match of `journalctl --unit`.
    private static func match(unit: [UInt8]) -> Match {
        func term(_ field: String, _ value: String) -> Match { .term(field: field, value: Array(value.utf8)) }
        var matches: [Match] = [
            .term(field: "_SYSTEMD_UNIT", value: unit),
            .all([
                term("MESSAGE_ID", "\(UnitSlots.coredumpMessage)"), term("_UID", "0"),
                .term(field: "COREDUMP_UNIT", value: unit),
            ]),
            .all([term("_PID", "1"), .term(field: "UNIT", value: unit)]),
            .all([term("_UID", "0"), .term(field: "OBJECT_SYSTEMD_UNIT", value: unit)]),
        ]
        if unit.suffix(6).elementsEqual(".slice".utf8) { matches.append(.term(field: "_SYSTEMD_SLICE", value: unit)) }
        return .any(matches)
    }

    /// How to read the fields that were asked for so far.
    var layout: FieldLayout { table.withLock { $0.layout } }
}

extension JournalSchema {
    enum Kind: Sendable {
        case int(ClosedRange<Int64>?)
        case text
        case time
    }

    static let shortNames = [
        "message": "MESSAGE", "priority": "PRIORITY", "unit": "unit", "identifier": "SYSLOG_IDENTIFIER", "pid": "_PID",
        "uid": "_UID", "host": "_HOSTNAME", "time": "time", "boot": "_BOOT_ID",
    ]

    private static let commonNames = [
        "MESSAGE", "MESSAGE_ID", "PRIORITY", "SYSLOG_IDENTIFIER", "SYSLOG_FACILITY", "SYSLOG_PID", "CODE_FILE",
        "CODE_FUNC",
        "CODE_LINE", "COREDUMP_CMDLINE", "COREDUMP_COMM", "COREDUMP_EXE", "COREDUMP_GID", "COREDUMP_PID",
        "COREDUMP_SIGNAL", "COREDUMP_UID", "COREDUMP_UNIT", "DOCUMENTATION", "ERRNO", "EXIT_CODE", "EXIT_STATUS",
        "INVOCATION_ID", "JOB_RESULT", "JOB_TYPE",
        "OBJECT_PID", "OBJECT_SYSTEMD_UNIT", "OBJECT_UID", "SESSION_ID", "SYSLOG_RAW", "SYSLOG_TIMESTAMP", "TID",
        "UNIT", "UNIT_RESULT", "USER_ID", "USER_INVOCATION_ID", "USER_UNIT", "_AUDIT_LOGINUID", "_AUDIT_SESSION",
        "_BOOT_ID", "_CAP_EFFECTIVE", "_CMDLINE", "_COMM", "_EXE", "_GID",
        "_HOSTNAME",
        "_KERNEL_DEVICE", "_KERNEL_SUBSYSTEM", "_LINE_BREAK", "_MACHINE_ID", "_NAMESPACE", "_PID", "_RUNTIME_SCOPE",
        "_SELINUX_CONTEXT", "_SOURCE_BOOTTIME_TIMESTAMP", "_SOURCE_MONOTONIC_TIMESTAMP",
        "_SOURCE_REALTIME_TIMESTAMP", "_SYSTEMD_CGROUP", "_SYSTEMD_INVOCATION_ID",
        "_SYSTEMD_OWNER_UID", "_SYSTEMD_SESSION", "_SYSTEMD_SLICE", "_SYSTEMD_UNIT", "_SYSTEMD_USER_SLICE",
        "_SYSTEMD_USER_UNIT", "_TRANSPORT", "_UDEV_DEVLINK", "_UDEV_DEVNODE", "_UDEV_SYSNAME",
        "_UID", "__CURSOR",
        "__MONOTONIC_TIMESTAMP",
        "__REALTIME_TIMESTAMP",
    ]

    private static let numbers: Set<String> = [
        "_PID", "_UID", "_GID", "SYSLOG_FACILITY", "ERRNO", "CODE_LINE", "EXIT_STATUS", "__REALTIME_TIMESTAMP",
        "__MONOTONIC_TIMESTAMP",
    ]

    private static func kind(of name: String) -> Kind {
        if name == "PRIORITY" { return .int(0...7) }
        return numbers.contains(name) ? .int(nil) : .text
    }

    private static func isJournalName(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= 64, !(0x30...0x39).contains(first) else { return false }
        if name.hasPrefix("__") { return ["__CURSOR", "__REALTIME_TIMESTAMP", "__MONOTONIC_TIMESTAMP"].contains(name) }
        return name.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }
}
