import Records

extension Record {
    /// A field's value as text, by the names that a filter has for it.
    func text(of field: String) -> String? {
        switch field {
        case "source": source
        case "severity", "priority": severity?.name
        case "message": message
        case "unit": self["_SYSTEMD_UNIT"] ?? self["UNIT"] ?? self["unit"]
        case "identifier": self["SYSLOG_IDENTIFIER"] ?? self["identifier"]
        default: self[field]
        }
    }

    func saysTheSame(as other: Record) -> Bool {
        source == other.source && severity == other.severity && message == other.message
    }
}
