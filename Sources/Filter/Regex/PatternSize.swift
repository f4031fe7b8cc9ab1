/// The size that RE2's program for a pattern may have, found by reading the pattern once.
///
/// RE2 bounds the memory of a program, but not the work to get there: a thousand optional characters a hundred times
/// over (`x{0,1000}x{0,1000}…`, 900 bytes) compile for 20 seconds, and each `\pL` takes 32 KiB before the bound is
/// checked. So a pattern is measured before RE2 sees it. The measure errs upwards; for a pattern that RE2 refuses, it
/// may be anything.
struct PatternSize {
    private let pattern: UnsafeRawBufferPointer
    private var position = 0
    /// Whether the name of a class may end further on. The end is looked for once.
    private var mayEndName = true
    /// Instructions for one character: the other case may be three bytes long (`k` and the Kelvin sign).
    private let character: Int

    /// Instructions of the groups that are open, the outermost first.
    private var open = [0]
    /// Instructions of the last part, which a repetition would multiply.
    private var last = 0

    /// Instructions for a Unicode class such as `\pL`; no class has more.
    private static let unicodeClass = 1_250
    /// Instructions for any character, or any but some: the ranges of bytes that UTF-8 has, and the other cases of
    /// letters.
    private static let anyCharacter = 48
    private static let group = 4
    /// RE2 refuses a larger count.
    private static let maxCount = 1_000

    static func estimate(_ pattern: UnsafeRawBufferPointer) -> Int {
        var size = PatternSize(pattern)
        return size.measure()
    }

    private init(_ pattern: UnsafeRawBufferPointer) {
        self.pattern = pattern
        character = pattern.contains(UInt8(ascii: "?")) && pattern.contains(UInt8(ascii: "i")) ? 4 : 2
    }

    private mutating func measure() -> Int {
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "("):
                if skipFlags() { continue }
                add(Self.group)
                open.append(0)
                last = 0
            case UInt8(ascii: ")"): closeGroup()
            case UInt8(ascii: "["): add(characterClass())
            case UInt8(ascii: "\\") where peek == UInt8(ascii: "Q"): addQuoted()
            case UInt8(ascii: "\\"): add(escape())
            case UInt8(ascii: "."): add(Self.anyCharacter)
            case UInt8(ascii: "{"):
                if let count = count() { multiply(by: count) } else { add(character) }
            case 0x80..<0xC0, UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"): addToLast()
            default: add(character)
            }
        }
        while open.count > 1 { closeGroup() }
        return open[0]
    }

    private mutating func next() -> UInt8? {
        guard position < pattern.count else { return nil }
        defer { position += 1 }
        return pattern[position]
    }

    private var peek: UInt8? { position < pattern.count ? pattern[position] : nil }

    /// A byte that forms one part with the character before it.
    private mutating func addToLast() {
        let whole = Self.sum(last, character)
        add(character)
        last = whole
    }

    /// Behind the backslash of `\Q`: all bytes up to `\E` are characters.
    private mutating func addQuoted() {
        position += 1
        while let byte = next() {
            if byte == UInt8(ascii: "\\"), peek == UInt8(ascii: "E") {
                position += 1
                return
            }
            if (0x80..<0xC0).contains(byte) { addToLast() } else { add(character) }
        }
    }

    private mutating func add(_ size: Int) {
        last = size
        open[open.count - 1] = Self.sum(open[open.count - 1], size)
    }

    private mutating func multiply(by count: Int) {
        let (more, overflow) = last.multipliedReportingOverflow(by: max(0, count - 1))
        // After flags RE2 accepts a repetition of the repetition.
        let whole = overflow ? .max : Self.sum(last, more)
        add(overflow ? .max : more)
        last = whole
    }

    private mutating func closeGroup() {
        // RE2 itself refuses an unmatched bracket.
        guard open.count > 1 else { return }
        add(open.removeLast())
    }

    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }

    /// Behind a backslash.
    private mutating func escape() -> Int {
        switch next() {
        case UInt8(ascii: "p"), UInt8(ascii: "P"):
            skipName()
            return Self.unicodeClass
        case UInt8(ascii: "x"):
            skipName()
            return 2 * character
        case UInt8(ascii: "C"), UInt8(ascii: "D"), UInt8(ascii: "S"), UInt8(ascii: "W"): return Self.anyCharacter
        default: return 2 * character
        }
    }

    /// The `L` of `\pL`, the `{Greek}` of `\p{Greek}`.
    private mutating func skipName() {
        guard next() == UInt8(ascii: "{") else { return }
        while let byte = next(), byte != UInt8(ascii: "}") {}
    }

    /// To the bracket that closes it; the names of classes have brackets of their own.
    private mutating func characterClass() -> Int {
        var size = Self.anyCharacter
        if peek == UInt8(ascii: "^") { position += 1 }
        var isFirst = true
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "]") where !isFirst: return size
            case UInt8(ascii: "["):
                size += Self.anyCharacter
                if mayEndName, peek == UInt8(ascii: ":") { skipClassName() }
            case UInt8(ascii: "\\"): size += escape()
            default: size += character
            }
            isFirst = false
        }
        return size
    }

    /// `:alpha:]`. Without its end, both signs are members of the class around.
    private mutating func skipClassName() {
        var end = position + 1
        while end + 1 < pattern.count {
            if pattern[end] == UInt8(ascii: ":"), pattern[end + 1] == UInt8(ascii: "]") {
                position = end + 2
                return
            }
            end += 1
        }
        mayEndName = false
    }

    /// The rest of `(?i)` and similar flags, which are no part that could be repeated.
    private mutating func skipFlags() -> Bool {
        let rest = pattern[position...]
        guard rest.first == UInt8(ascii: "?") else { return false }
        let flags = rest.dropFirst().prefix { "imsU-".utf8.contains($0) }
        guard flags.endIndex < pattern.count, pattern[flags.endIndex] == UInt8(ascii: ")") else { return false }
        position = flags.endIndex + 1
        return true
    }

    /// The greater number of `{2,5}`; `nil` where that is no repetition, but text.
    private mutating func count() -> Int? {
        var numbers = [0]
        var ahead = position
        guard ahead < pattern.count, (0x30...0x39).contains(pattern[ahead]) else { return nil }
        while ahead < pattern.count {
            switch pattern[ahead] {
            case let digit where (0x30...0x39).contains(digit):
                numbers[numbers.count - 1] = min(Self.maxCount, numbers[numbers.count - 1] * 10 + Int(digit - 0x30))
            case UInt8(ascii: ",") where numbers.count == 1: numbers.append(0)
            case UInt8(ascii: "}"):
                position = ahead + 1
                return max(numbers[0], numbers[numbers.count - 1])
            default: return nil
            }
            ahead += 1
        }
        return nil
    }
}
