/// The names that programs which rotate logs give to moved files.
enum RotatedName {
    /// Whether it is the name of a log with a number or a date behind it, or in front of its ending (`app.log.1`, `app.log-20261128`,
    /// `app-2026-11-28.log`), or with `.old` or `.bak`. The ending of a compressed file may follow. `app2.log` is another log.
    static func isOne(_ name: String, of log: String) -> Bool {
        let ending = Compression.all.first { name.hasSuffix($0.ending) }?.ending ?? ""
        let name = name.dropLast(ending.count)
        if name.hasPrefix(log), isMark(name.dropFirst(log.count)) { return true }
        guard let dot = log.lastIndex(of: "."), dot != log.startIndex else { return false }
        let (stem, suffix) = (log[..<dot], log[dot...])
        guard name.count > log.count, name.hasPrefix(stem), name.hasSuffix(suffix) else { return false }
        return isMark(name.dropFirst(stem.count).dropLast(suffix.count))
    }

    private static func isMark(_ mark: Substring) -> Bool {
        if mark == ".old" || mark == ".bak" { return true }
        guard let first = mark.first, ".-_".contains(first), mark.dropFirst().first?.isNumber == true else {
            return false
        }
        return mark.dropFirst().allSatisfy { $0.isNumber || ".-_:TZ".contains($0) }
    }
}
