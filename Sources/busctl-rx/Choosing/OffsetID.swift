/// An id, a number of places before or behind it, or both, as in `-1`, `2` and `68b4…-1`; or `all`.
struct OffsetID: Equatable {
    /// 32 hexadecimal digits, in lower case.
    let id: String?
    /// `nil` for all.
    let offset: Int?

    init(id: String?, offset: Int?) {
        self.id = id
        self.offset = offset
    }

    /// `nil` for any other text.
    init?(_ text: String) {
        if text == "all" {
            (id, offset) = (nil, nil)
            return
        }
        let digits = text.prefix { $0.isHexDigit && $0.isASCII }
        id = digits.count == 32 ? digits.lowercased() : nil
        let rest = id == nil ? text[...] : text.dropFirst(32)
        if rest.isEmpty {
            guard id != nil else { return nil }
            offset = 0
            return
        }
        // With an id the number has a sign.
        guard id == nil || rest.first == "+" || rest.first == "-", let number = Int32(rest) else { return nil }
        offset = Int(number)
    }

    /// The chosen one among the existing ones, which are given in order. Without an id, 1 is the first one, 0 the
    /// last one, and -1 the one before it.
    ///
    /// - Parameter kind: the kind of period, as in "boot". It is part of the message where there is none.
    func resolve(among ids: [String], _ kind: String) throws(ExitStatus) -> String {
        let offset = offset ?? 0
        var base = offset > 0 ? -1 : ids.count - 1
        if let id {
            guard let index = ids.firstIndex(of: id) else {
                StandardError.report("the journal has no \(kind) \(id)")
                throw .nothingMatched
            }
            base = index
        }
        guard ids.indices.contains(base + offset) else {
            let place = id.map { "\(offset) from \($0)" } ?? "\(offset)"
            let which = ids.isEmpty ? "at all" : "\(place), but \(ids.count) in all"
            StandardError.report("the journal has no \(kind) \(which)")
            throw .nothingMatched
        }
        return ids[base + offset]
    }
}
