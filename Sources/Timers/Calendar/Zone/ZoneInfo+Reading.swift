import Glibc

extension ZoneInfo {
    /// The zone of that name in the system's zone files.
    ///
    /// - Parameter name: as `Europe/Berlin`; `UTC` needs no file.
    /// - Throws: ``ZoneError`` when there is none, or when it cannot be read.
    public init(named name: String) throws(ZoneError) {
        if name == "UTC" {
            self = .utc
            return
        }
        guard Self.isWellFormed(name) else { throw ZoneError(zone: name, path: nil, code: EINVAL) }
        try self.init(name: name, path: "\(Self.folder)/\(name)")
    }

    /// The zone that the machine's clocks show, as the C library finds it: what `TZ` says, else `/etc/localtime`, else UTC.
    ///
    /// - Throws: ``ZoneError`` when `TZ` names a zone that there is none of, or when the file cannot be read.
    public static func local() throws(ZoneError) -> ZoneInfo {
        guard let variable = getenv("TZ") else {
            do throws(ZoneError) {
                return try ZoneInfo(name: "", path: "/etc/localtime")
            } catch {
                guard error.code == ENOENT else { throw error }
                return ZoneInfo(name: "", initial: utc.initial)
            }
        }
        let text = String(cString: variable)
        let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
        if name.isEmpty || name == "UTC" { return ZoneInfo(name: "", initial: utc.initial) }
        if name.hasPrefix("/") { return try ZoneInfo(name: "", path: name) }
        do throws(ZoneError) {
            let zone = try ZoneInfo(named: name)
            return ZoneInfo(
                name: "",
                transitions: zone.transitions,
                types: zone.types,
                initial: zone.initial,
                rule: zone.rule
            )
        } catch {
            guard let rule = ZoneRule(name.utf8) else { throw error }
            return ZoneInfo(name: "", initial: rule.standard, rule: rule)
        }
    }

    private static var folder: String { "/usr/share/zoneinfo" }

    private init(name: String, path: String) throws(ZoneError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileError.contents(of: path, limit: 1 << 20)
        } catch {
            throw ZoneError(zone: name, path: path, code: error.code)
        }
        guard let zone = ZoneFile(bytes).zone(named: name) else { throw ZoneError(zone: name, path: path, code: 0) }
        self = zone
    }

    /// What may be looked for as a file: no path that leads elsewhere.
    private static func isWellFormed(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy { byte in
                    let letter = byte | 0x20
                    return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z") || byte >= 48 && byte <= 57
                        || "+-_".utf8.contains(byte)
                }
        }
    }
}
