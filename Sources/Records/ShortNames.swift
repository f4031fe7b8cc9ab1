/// Short names for fields that have long ones in a journal, as a filter has them.
package enum ShortNames {
    private static let long: [String: [String]] = [
        "unit": ["_SYSTEMD_UNIT", "UNIT", "_SYSTEMD_USER_UNIT", "USER_UNIT"], "identifier": ["SYSLOG_IDENTIFIER"],
        "pid": ["_PID"], "uid": ["_UID"], "host": ["_HOSTNAME"], "boot": ["_BOOT_ID"],
    ]

    /// The names under which a field is looked for, the nearest first.
    package static func candidates(for name: String) -> [String] { [name] + (long[name] ?? []) }
}
