import CNcurses
import Glibc

/// Turns what ncurses reads, bytes in the locale's encoding and numbers of keys, into events.
struct InputDecoder {
    /// The sequence that the present byte may belong to.
    private enum Sequence {
        case none
        /// An escape came.
        case escape
        /// `ESC [` or `ESC O` of a sequence that ncurses does not know, and so many bytes after it.
        case unknown(Int)
    }

    static let pasteBegin: CInt = 2000
    static let pasteEnd: CInt = 2001
    private static let escape: Unicode.Scalar = "\u{1B}"
    /// No sequence of a terminal is longer.
    private static let maxSequence = 64
    /// In Unicode scalars.
    private static let maxPaste = 4096

    private let keys: [CInt: Key]
    private var shift = mbstate_t()
    private var sequence = Sequence.none
    private var isPasting = false
    private var text = String.UnicodeScalarView()
    /// How many scalars of a paste the text has.
    private var pasted = 0
    private var events: [ScreenEvent] = []

    init(keys: [CInt: Key]) { self.keys = keys }

    /// - Parameter code: a byte, or the number of a key.
    mutating func take(_ code: CInt) {
        if let byte = UInt8(exactly: code) {
            if isPasting || isInsideCharacter { decode(byte) } else { takeTyped(byte) }
        } else {
            takeKey(code)
        }
    }

    mutating func take(_ pointer: Pointer) {
        endCharacter()
        endSequence()
        add(.pointer(pointer))
    }

    /// The events so far, after which nothing more has arrived. The bytes of an incomplete character are kept.
    mutating func takeEvents() -> [ScreenEvent] {
        if isPasting, text.last == Self.escape {
            // The key, because nothing follows: the end of the paste was lost.
            text.removeLast()
            endText()
            isPasting = false
            sequence = .escape
        }
        endSequence()
        endText()
        defer { events = [] }
        return events
    }

    private mutating func takeKey(_ code: CInt) {
        // Comes from ncurses itself, perhaps amid a character.
        if code == CInt(KEY_RESIZE) { return }
        endCharacter()
        if case .escape = sequence, keys[code] == .backspace { return takeAltBackspace() }
        endSequence()
        switch code {
        case Self.pasteBegin:
            endText()
            isPasting = true
        case Self.pasteEnd:
            endText()
            isPasting = false
        default:
            guard !isPasting, let key = keys[code] else { return }
            add(.key(key))
        }
    }

    private mutating func takePasted(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\r": text.append("\n")
        default: text.append(scalar)
        }
        pasted += 1
        if pasted >= Self.maxPaste { endText() }
    }

    private mutating func takeTyped(_ byte: UInt8) {
        switch sequence {
        case .unknown(let length):
            let isLast = (0x40...0x7E).contains(byte) || length >= Self.maxSequence
            sequence = isLast ? .none : .unknown(length + 1)
        case .escape where byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O"):
            sequence = .unknown(0)
        case .escape where byte == 0x7F || byte == 0x08: takeAltBackspace()
        case .escape where byte < 0x20:
            endSequence()
            takeControl(byte)
        case .none where byte < 0x20 || byte == 0x7F:
            takeControl(byte)
        case .escape, .none: decode(byte)
        }
    }

    private mutating func takeTyped(_ scalar: Unicode.Scalar) {
        guard scalar.properties.generalCategory != .control else { return }
        if case .escape = sequence {
            sequence = .none
            add(.key(.alt(Character(scalar))))
        } else {
            text.append(scalar)
        }
    }

    private mutating func takeControl(_ byte: UInt8) {
        switch byte {
        case 0x1B: sequence = .escape
        case 0x0D, 0x0A: add(.key(.enter))
        case 0x09: add(.key(.tab))
        case 0x08, 0x7F: add(.key(.backspace))
        case 0x01...0x1A: add(.key(.control(Character(Unicode.Scalar(byte + 0x60)))))
        default: add(.key(.control(Character(Unicode.Scalar(byte + 0x40)))))
        }
    }

    private mutating func takeAltBackspace() {
        sequence = .none
        add(.key(.alt("\u{7F}")))
    }

    private mutating func endSequence() {
        if case .escape = sequence { add(.key(.escape)) }
        sequence = .none
    }

    private mutating func add(_ event: ScreenEvent) {
        endText()
        events.append(event)
    }

    private mutating func endText() {
        guard !text.isEmpty else { return }
        if isPasting { events.append(.paste(String(text))) } else { events += String(text).map { .text($0) } }
        text = .init()
        pasted = 0
    }

    private mutating func take(_ scalar: Unicode.Scalar) {
        if isPasting { takePasted(scalar) } else { takeTyped(scalar) }
    }

    /// Takes the character that the byte completes.
    private mutating func decode(_ byte: UInt8) {
        let wasInside = isInsideCharacter
        var (character, wide) = (CChar(bitPattern: byte), wchar_t())
        switch mbrtowc(&wide, &character, 1, &shift) {
        case 0, 1:
            if let scalar = Unicode.Scalar(UInt32(bitPattern: wide)) { take(scalar) }
        case -2: break
        default:
            shift = mbstate_t()
            take("\u{FFFD}")
            // The bytes before it are no character; the byte itself may be one, or a key.
            if wasInside { take(CInt(byte)) }
        }
    }

    /// Whether the last bytes are the beginning of a character.
    private var isInsideCharacter: Bool {
        withUnsafePointer(to: shift) { mbsinit($0) == 0 }
    }

    /// Ends an incomplete character, because a key or a pointer follows.
    private mutating func endCharacter() {
        guard isInsideCharacter else { return }
        shift = mbstate_t()
        take("\u{FFFD}")
    }
}
