/// A name that a program which rotates logs gives to a moved file.
struct RotatedName {
    /// Where the mark is that tells it from the log's name.
    enum Form {
        /// `app.log.1`, `app.log-20261128`
        case behind
        /// `app-2026-11-28.log`
        case beforeEnding
    }

    let form: Form
    /// The numbers of the mark, as of a date; none for `.old` and `.bak`.
    let numbers: [UInt64]
    /// The name before the file was compressed; `nil` if it is not.
    let uncompressed: String?

    /// Reads the name of a log with a number or a date behind it, or in front of its ending (`app.log.1`, `app.log-20261128`,
    /// `app-2026-11-28.log`), or with `.old` or `.bak`, or with both. The ending of a compressed file may follow. `nil` for all others: `app2.log` is another
    /// log.
    init?(_ name: String, of log: String) {
        let ending = Compression.all.first { name.hasSuffix($0.ending) }?.ending
        let name = name.dropLast(ending?.count ?? 0)
        uncompressed = ending == nil ? nil : String(name)
        if name.hasPrefix(log), let numbers = Self.numbers(in: name.dropFirst(log.count)) {
            (form, self.numbers) = (.behind, numbers)
            return
        }
        guard let dot = log.lastIndex(of: "."), dot != log.startIndex else { return nil }
        let (stem, suffix) = (log[..<dot], log[dot...])
        guard name.count > log.count, name.hasPrefix(stem), name.hasSuffix(suffix),
            let numbers = Self.numbers(in: name.dropFirst(stem.count).dropLast(suffix.count))
        else { return nil }
        (form, self.numbers) = (.beforeEnding, numbers)
    }

    /// `nil` for what is no mark.
    private static func numbers(in mark: Substring) -> [UInt64]? {
        if let ending = [".old", ".bak"].first(where: mark.hasSuffix) {
            let mark = mark.dropLast(ending.count)
            return mark.isEmpty ? [] : numbers(in: mark)
        }
        guard let first = mark.first, ".-_".contains(first), mark.dropFirst().first?.isNumber == true,
            mark.dropFirst().allSatisfy({ $0.isNumber || ".-_:TZ".contains($0) })
        else { return nil }
        return mark.split { !$0.isNumber }.map { UInt64($0) ?? .max }
    }
}
