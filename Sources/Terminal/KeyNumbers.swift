import CNcurses

/// The numbers by which ncurses tells keys.
enum KeyNumbers {
    /// Asks the terminal's description for those that have no fixed number, and adds the usual sequences to it. The keypad is on.
    static func all() -> [CInt: Key] {
        var keys: [CInt: Key] = [
            CInt(KEY_DOWN): .down, CInt(KEY_UP): .up, CInt(KEY_LEFT): .left, CInt(KEY_RIGHT): .right,
            CInt(KEY_HOME): .home, CInt(KEY_END): .end, CInt(KEY_LL): .end, CInt(KEY_NPAGE): .pageDown,
            CInt(KEY_PPAGE): .pageUp, CInt(KEY_BACKSPACE): .backspace, CInt(KEY_DC): .delete, CInt(KEY_IC): .insert,
            CInt(KEY_ENTER): .enter, CInt(KEY_BTAB): .backTab, CInt(KEY_SR): .shiftUp, CInt(KEY_SF): .shiftDown,
            CInt(KEY_SLEFT): .shiftLeft, CInt(KEY_SRIGHT): .shiftRight,
        ]
        for number in 1...63 { keys[CInt(KEY_F0 + number)] = .function(number) }
        for (sequence, number) in usual where key_defined(sequence) == 0 { define_key(sequence, CInt(number)) }
        for (name, key) in extended {
            guard let sequence = Ncurses.capability(name) else { continue }
            let number = key_defined(sequence)
            if number > CInt(KEY_MAX) { keys[number] = key }
        }
        return keys
    }

    /// Many terminals send these, whatever their description says: a description for another terminal is common.
    private static let usual: [(String, Int)] = [
        ("\u{1B}[A", KEY_UP), ("\u{1B}[B", KEY_DOWN), ("\u{1B}[C", KEY_RIGHT), ("\u{1B}[D", KEY_LEFT),
        ("\u{1B}[H", KEY_HOME), ("\u{1B}[1~", KEY_HOME), ("\u{1B}[F", KEY_END), ("\u{1B}[4~", KEY_END),
        ("\u{1B}[2~", KEY_IC), ("\u{1B}[3~", KEY_DC), ("\u{1B}[5~", KEY_PPAGE), ("\u{1B}[6~", KEY_NPAGE),
        ("\u{1B}[Z", KEY_BTAB),
    ]

    /// Names of ncurses' own in the descriptions.
    private static let extended: [(String, Key)] = [
        ("kUP", .shiftUp), ("kDN", .shiftDown), ("kUP5", .controlUp), ("kDN5", .controlDown),
        ("kLFT5", .controlLeft), ("kRIT5", .controlRight),
    ]
}
