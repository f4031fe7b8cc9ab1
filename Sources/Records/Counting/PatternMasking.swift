/// One pass over the bytes of a message, which writes its pattern.
///
/// Masking a pattern again does not change it: what stands before a byte is looked up in the pattern, not in the message, and
/// what is asked of the bytes after it has the same answer for a mask as for the text that it replaced.
struct PatternMasking {
    // Both are valid while `MessagePattern.text` runs, and this is used no longer.
    private let message: UnsafePointer<UInt8>
    private let pattern: UnsafeMutablePointer<UInt8>
    /// The end of what is read of the message, unless its line ends before. No byte that is looked for ends a line.
    private let end: Int
    /// Whether the message goes on there.
    private let isCut: Bool
    private var position: Int
    /// The length of the pattern so far.
    private var count = 0
    /// Where the last mask in the pattern ends.
    private var maskEnd: Int?
    /// The quotation mark that was opened last, and the place in the pattern after it.
    private var quotation: (mark: UInt8, start: Int)?

    /// Leaves room for ` …`.
    private static let limit = MessagePattern.maxLength - 4

    /// - Parameter pattern: has room for ``MessagePattern/maxLength`` bytes.
    init(_ message: UnsafePointer<UInt8>, _ length: Int, into pattern: UnsafeMutablePointer<UInt8>) {
        self.message = message
        self.pattern = pattern
        var start = 0
        while start < length, Self.isSpace(message[start]), message[start] != 0x1B { start += 1 }
        position = start
        end = min(start + MessagePattern.maxRead, length)
        isCut = end < length && !Self.isLineEnd(message[end])
    }

    /// Returns the length of the pattern.
    mutating func run() -> Int {
        while position < end, !Self.isLineEnd(message[position]) {
            guard step() else { return cut() }
        }
        if position == end, isCut { return cut() }
        return count > 0 && pattern[count - 1] == UInt8(ascii: " ") ? count - 1 : count
    }

    /// Goes on by a word, a mask or a character. Returns whether it had room.
    private mutating func step() -> Bool {
        let byte = message[position]
        switch byte {
        case _ where Self.isWord(byte):
            return word()
        case _ where Self.isSpace(byte):
            return space()
        case UInt8(ascii: ":"):
            if next == byte, !followsWord, let end = addressEnd { return mask(to: end) }
            return copy(to: position + 1)
        case UInt8(ascii: "/"):
            if !followsWord, let next, Self.isWord(next) || next == UInt8(ascii: ".") {
                return mask(to: pathEnd(position))
            }
            return copy(to: position + 1)
        case UInt8(ascii: "<"):
            return isMask(at: position) ? mask(to: position + 3) : copy(to: position + 1)
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
            return quotationMark(byte, opens: true, closes: true, length: 1)
        case 0x80...:
            return character()
        default:
            return copy(to: position + 1)
        }
    }

    // MARK: Words and masks

    /// A word, with the words that are tied to it.
    private mutating func word() -> Bool {
        var index = position
        var varies = false
        while index < end {
            let byte = message[index]
            if Self.isLetter(byte) {
                index += 1
            } else if Self.isDigit(byte) {
                varies = true
                index += 1
            } else if Self.isTie(byte), index + 1 < end, Self.isWord(message[index + 1]) {
                varies = varies || byte == UInt8(ascii: "@")
                index += 1
            } else if isMicro(at: index) {
                index += 2
            } else {
                break
            }
        }
        if index < end, message[index] == UInt8(ascii: ":") {
            if !followsWord, let end = addressEnd { return mask(to: end) }
            if index + 3 < end, message[index + 1] == UInt8(ascii: "/"), message[index + 2] == UInt8(ascii: "/"),
                Self.isPath(message[index + 3])
            {
                return mask(to: pathEnd(index + 3))
            }
        }
        return varies ? mask(to: index) : copy(to: index)
    }

    /// The end of an IPv6 or MAC address.
    ///
    /// Without digits, it has to have six groups, and no `:` at its end.
    private var addressEnd: Int? {
        var index = position
        var (colons, length, hasDigit) = (0, 0, false)
        while index < end {
            let byte = message[index]
            if byte == UInt8(ascii: ":") {
                colons += 1
                length = 0
            } else if Self.isHexadecimal(byte) {
                length += 1
                hasDigit = hasDigit || Self.isDigit(byte)
            } else {
                break
            }
            // The longest is an InfiniBand address.
            guard length <= 4, colons < 20 else { return nil }
            index += 1
        }
        if index < end, Self.isWord(message[index]) { return nil }
        let endsOpen = length == 0
        if endsOpen, index - position >= 2, message[index - 2] != UInt8(ascii: ":") {
            index -= 1
            colons -= 1
        }
        return hasDigit ? (colons >= 2 ? index : nil) : (colons >= 5 && !endsOpen ? index : nil)
    }

    /// The end of a path or URL, without the punctuation of the sentence around it.
    private func pathEnd(_ start: Int) -> Int {
        var index = start + 1
        while index < end, Self.isPath(message[index]) { index += 1 }
        while index > start + 1, Self.isPunctuation(message[index - 1]) { index -= 1 }
        return index
    }

    private mutating func space() -> Bool {
        if count > 0, pattern[count - 1] != UInt8(ascii: " ") {
            guard count < Self.limit else { return false }
            pattern[count] = UInt8(ascii: " ")
            count += 1
        }
        position = message[position] == 0x1B ? colourEnd : position + 1
        return true
    }

    /// The end of a colour sequence, `ESC [ digits and ; m`, or of the control character alone.
    private var colourEnd: Int {
        var index = position + 1
        guard index < end, message[index] == UInt8(ascii: "[") else { return position + 1 }
        index += 1
        while index < end, Self.isDigit(message[index]) || message[index] == UInt8(ascii: ";") { index += 1 }
        return index < end && message[index] == UInt8(ascii: "m") ? index + 1 : position + 1
    }

    /// A character outside of ASCII.
    private mutating func character() -> Bool {
        let length = Printable.length(message, position, end)
        guard length > 0 else {
            guard append("\u{FFFD}") else { return false }
            position += 1
            return true
        }
        guard length == 3, message[position] == 0xE2, message[position + 1] == 0x80 else {
            return copy(to: position + length)
        }
        // ‘ ’ “ ”
        switch message[position + 2] {
        case 0x98, 0x9C: return quotationMark(message[position + 2], opens: true, closes: false, length: 3)
        case 0x99, 0x9D: return quotationMark(message[position + 2] - 1, opens: false, closes: true, length: 3)
        default: return copy(to: position + length)
        }
    }

    private mutating func quotationMark(_ mark: UInt8, opens: Bool, closes: Bool, length: Int) -> Bool {
        if closes, let open = quotation, open.mark == mark {
            quotation = nil
            let isOneWord = !(open.start..<count).contains { pattern[$0] == UInt8(ascii: " ") }
            if isOneWord, !isFollowedByWord(position + length) {
                count = open.start
                maskEnd = nil
                return mask(to: position) && copy(to: position + length)
            }
        }
        if opens, !followsWord { quotation = (mark, count + length) }
        return copy(to: position + length)
    }

    // MARK: The surroundings

    private var next: UInt8? { position + 1 < end ? message[position + 1] : nil }

    /// Whether the pattern ends with a word or a mask.
    private var followsWord: Bool { count > 0 && (maskEnd == count || Self.isWord(pattern[count - 1])) }

    private func isFollowedByWord(_ index: Int) -> Bool {
        guard index < end else { return isCut }
        return Self.isWord(message[index]) || isMask(at: index) || isEllipsis(at: index)
    }

    private func isMask(at index: Int) -> Bool {
        index + 2 < end && message[index] == UInt8(ascii: "<") && message[index + 1] == UInt8(ascii: "*")
            && message[index + 2] == UInt8(ascii: ">")
    }

    private func isEllipsis(at index: Int) -> Bool {
        index + 2 < end && message[index] == 0xE2 && message[index + 1] == 0x80 && message[index + 2] == 0xA6
    }

    /// Whether a number's unit begins with µ, of either kind, here.
    private func isMicro(at index: Int) -> Bool {
        guard index > position, Self.isDigit(message[index - 1]), index + 1 < end else { return false }
        return message[index] == 0xC2 && message[index + 1] == 0xB5
            || message[index] == 0xCE && message[index + 1] == 0xBC
    }

    // MARK: Writing

    private mutating func copy(to index: Int) -> Bool {
        guard append(message + position, index - position) else { return false }
        position = index
        return true
    }

    private mutating func append(_ bytes: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        guard count + length <= Self.limit else { return false }
        (pattern + count).update(from: bytes, count: length)
        count += length
        return true
    }

    private mutating func append(_ text: StaticString) -> Bool { append(text.utf8Start, text.utf8CodeUnitCount) }

    /// Masks the message up to an index.
    private mutating func mask(to index: Int) -> Bool {
        while let end = signStart ?? dateNameStart { count = end }
        if let maskEnd, (maskEnd..<count).allSatisfy({ Self.isJoint(pattern[$0]) }) {
            count = maskEnd
        } else {
            guard append("<*>") else { return false }
            maskEnd = count
        }
        position = index
        return true
    }

    /// Where the signs at the end of the pattern begin.
    private var signStart: Int? {
        var start = count
        while start > maskEnd ?? 0, pattern[start - 1] == UInt8(ascii: "-") || pattern[start - 1] == UInt8(ascii: "+") {
            start -= 1
        }
        guard start < count, start != maskEnd else { return nil }
        return start > 0 && Self.isWord(pattern[start - 1]) ? nil : start
    }

    /// Where the name of a day or month at the end of the pattern begins, as in `Mon, ` and `Jan `.
    private var dateNameStart: Int? {
        guard count >= 4, pattern[count - 1] == UInt8(ascii: " ") else { return nil }
        let start = count - (pattern[count - 2] == UInt8(ascii: ",") ? 5 : 4)
        guard start >= 0, start > maskEnd ?? -1, start == 0 || !Self.isWord(pattern[start - 1]) else { return nil }
        let isName = stride(from: 0, to: Self.dateNames.utf8CodeUnitCount, by: 3).contains { index in
            (0..<3).allSatisfy { pattern[start + $0] == Self.dateNames.utf8Start[index + $0] }
        }
        return isName ? start : nil
    }

    private static let dateNames: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDecMonTueWedThuFriSatSun"

    /// Replaces what follows the last space by `…`. Without a space, it replaces the word or address at the end, which might be
    /// read as another one once it is cut.
    private mutating func cut() -> Int {
        if let space = (0..<count).last(where: { pattern[$0] == UInt8(ascii: " ") }) {
            count = space + 1
        } else {
            while count > 0, Self.isWord(pattern[count - 1]) || pattern[count - 1] == UInt8(ascii: ":") { count -= 1 }
        }
        let ellipsis: StaticString = "…"
        (pattern + count).update(from: ellipsis.utf8Start, count: ellipsis.utf8CodeUnitCount)
        return count + ellipsis.utf8CodeUnitCount
    }
}

// MARK: Bytes

extension PatternMasking {
    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    @inline(__always)
    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
    }

    @inline(__always)
    private static func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 6 }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    /// Spaces and control characters.
    private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F }

    /// Characters that make the words on both sides of them one.
    private static func isTie(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "@"): true
        default: false
        }
    }

    /// Characters that may stand between masks that are joined.
    private static func isJoint(_ byte: UInt8) -> Bool {
        isTie(byte) || isPunctuation(byte) || byte == UInt8(ascii: " ")
    }

    /// Characters that may be in a path or URL, but belong to the sentence at its end.
    private static func isPunctuation(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "?"),
            UInt8(ascii: "!"), UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "~"),
            UInt8(ascii: "#"), UInt8(ascii: "%"), UInt8(ascii: "^"), UInt8(ascii: "\\"), UInt8(ascii: "|"):
            true
        default: false
        }
    }

    /// Characters of a path or URL. Of characters outside of ASCII, those of alphabets in two bytes.
    private static func isPath(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"): false
        case UInt8(ascii: "$"), UInt8(ascii: "*"): true
        case 0x80..<0xE0: true
        default: isWord(byte) || isTie(byte) || isPunctuation(byte)
        }
    }
}
