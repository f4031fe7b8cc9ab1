import Glibc

/// The system's time zones, and the local one.
///
/// The local zone is the one that the C library finds: the environment variable `TZ` gives it, as a name, a path or a
/// rule; without `TZ`, it is the file `/etc/localtime`; without that file, it is UTC. The C library uses UTC for a
/// `TZ` that it cannot read, too; here that is an error.
package struct ZoneDatabase: Sendable {
    private let folder: String
    private let localFile: String
    private let variable: @Sendable () -> String?

    /// No name of a zone is longer.
    package static var maxNameLength: Int { 64 }

    package static let system = ZoneDatabase(
        folder: "/usr/share/zoneinfo",
        localFile: "/etc/localtime",
        variable: { getenv("TZ").map { String(cString: $0) } }
    )

    /// - Parameter variable: the present value of the environment variable `TZ`.
    package init(folder: String, localFile: String, variable: @escaping @Sendable () -> String?) {
        self.folder = folder
        self.localFile = localFile
        self.variable = variable
    }

    /// The zone of that name, as `Europe/Berlin`; `UTC` needs no file.
    package func zone(named name: String) throws(ZoneFault) -> TimeZone {
        if name == "UTC" { return .utc }
        guard let path = path(named: name) else { throw ZoneFault(zone: name, path: nil, code: EINVAL) }
        return try zone(named: name, path)
    }

    /// The local zone as it is now.
    package func local() throws(ZoneFault) -> TimeZone {
        switch place(variable()) {
        case .utc: return .utc
        case .localFile:
            do throws(ZoneFault) {
                return try zone(named: "", localFile)
            } catch {
                guard error.code == ENOENT else { throw error }
                return .utc
            }
        case .path(let path): return try zone(named: "", path)
        case .text(let text):
            do throws(ZoneFault) {
                return try zone(named: text)
            } catch {
                guard let rule = ZoneRule(Array(text.utf8)) else { throw error }
                return TimeZone(rule)
            }
        }
    }

    /// The state of the file that a zone is read from. When it changes, the zone may have changed, too.
    func source(named name: String) -> ZoneSource {
        ZoneSource(variable: nil, file: path(named: name).flatMap { ZoneSource.File($0) })
    }

    /// The state of the source of the local zone.
    func localSource() -> ZoneSource {
        let variable = variable()
        let path: String? =
            switch place(variable) {
            case .utc: nil
            case .localFile: localFile
            case .path(let path): path
            case .text(let text): path(named: text)
            }
        return ZoneSource(variable: variable, file: path.flatMap { ZoneSource.File($0) })
    }

    private enum LocalPlace {
        case utc, localFile
        case path(String)
        /// A name or a rule.
        case text(String)
    }

    private func place(_ variable: String?) -> LocalPlace {
        guard let variable else { return .localFile }
        let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        if text.isEmpty || text == "UTC" { return .utc }
        return text.hasPrefix("/") ? .path(text) : .text(text)
    }

    /// Nil for a name that must not be looked for as a file: names come from strangers, and must not lead out of the
    /// folder.
    private func path(named name: String) -> String? {
        guard name.utf8.count <= Self.maxNameLength else { return nil }
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isWellFormed = parts.allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy { byte in
                    let letter = byte | 0x20
                    return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z") || byte >= 48 && byte <= 57
                        || "+-_".utf8.contains(byte)
                }
        }
        return isWellFormed ? "\(folder)/\(name)" : nil
    }

    private func zone(named name: String, _ path: String) throws(ZoneFault) -> TimeZone {
        let bytes: [UInt8]
        do throws(ZoneFileError) {
            bytes = try ZoneFileError.contents(of: path)
        } catch {
            throw ZoneFault(zone: name, path: path, code: error.code)
        }
        guard let zone = ZoneFile(bytes).zone() else { throw ZoneFault(zone: name, path: path, code: 0) }
        return zone
    }
}
