import CNcurses
import Glibc

/// ncurses, drawing on one terminal. Each method has the right to call the library while it runs.
struct Ncurses {
    private let terminal: CInt
    private let screen: OpaquePointer
    private let window: OpaquePointer
    /// Reading by way of a pad draws nothing.
    private let input: OpaquePointer
    private let paste: (on: UnsafeMutablePointer<CChar>, off: UnsafeMutablePointer<CChar>)?

    init(_ files: TerminalFiles, escapeDelay: CInt) throws(ScreenFailure) {
        guard let screen = newterm(nil, files.output, files.input) else {
            throw Self.unusable("has no description that ncurses finds")
        }
        terminal = fileno(files.output)
        self.screen = screen
        guard Self.capability("cup") != nil, Self.capability("clear") != nil,
            let window = newwin(0, 0, 0, 0), let input = newpad(1, 1)
        else {
            endwin()
            delscreen(screen)
            throw Self.unusable("is described as one on which text cannot be placed")
        }
        (self.window, self.input) = (window, input)
        cbreak()
        noecho()
        nonl()
        // Otherwise a typed key would put off drawing.
        typeahead(-1)
        keypad(input, true)
        nodelay(input, true)
        if getenv("ESCDELAY") == nil { set_escdelay(escapeDelay) }
        // Presses are reported at once, and not held back for what may be a click.
        mouseinterval(0)
        mousemask(
            mmask_t(BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON4_PRESSED | BUTTON5_PRESSED),
            nil
        )
        if let on = Self.capability("BE"), let off = Self.capability("BD"), let begin = Self.capability("PS"),
            let end = Self.capability("PE")
        {
            define_key(begin, InputDecoder.pasteBegin)
            define_key(end, InputDecoder.pasteEnd)
            paste = (on, off)
        } else {
            paste = nil
        }
    }

    var size: (columns: Int, rows: Int) { (Int(getmaxx(window)), Int(getmaxy(window))) }

    /// The attributes and pairs for the colours that the terminal has.
    func startColors() -> CellEncoding.Colors {
        let count = tigetnum("colors")
        guard count >= 8, start_color() == 0, use_default_colors() == 0 else { return [:] }
        var colors: CellEncoding.Colors = [:]
        for color in Style.Color.allCases {
            let pair = CShort(color.rawValue)
            switch color {
            case .gray where count < 16: colors[color] = (Int(A_DIM), 0)
            // Bright black.
            case .gray: if init_pair(pair, 8, -1) == 0 { colors[color] = (0, pair) }
            default: if init_pair(pair, pair, -1) == 0 { colors[color] = (0, pair) }
            }
        }
        return colors
    }

    /// The next drawing takes the terminal over.
    func enter() {
        locked { cncurses_session_enter(paste?.on, paste?.off) }
    }

    /// The same after a stop, in which the shell has used the terminal.
    func reenter() {
        locked {
            // Without a signal that can be handled before the stop, ncurses has not left the terminal.
            if !isendwin() { endwin() }
        }
        enter()
    }

    func leave() { locked { cncurses_session_leave() } }

    func close() {
        locked {
            cncurses_session_leave()
            cncurses_session_end()
            delscreen(screen)
        }
    }

    /// Takes over the size that the terminal has now.
    func resize() {
        var size = winsize()
        guard ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else { return }
        locked {
            resizeterm(CInt(size.ws_row), CInt(size.ws_col))
            wresize(window, CInt(size.ws_row), CInt(size.ws_col))
        }
    }

    /// The next drawing begins with an empty terminal.
    func clear() { locked { _ = clearok(window, true) } }

    /// - Parameter isUnchanged: whether a row need not be drawn.
    func draw(
        _ canvas: Canvas,
        size: (columns: Int, rows: Int),
        _ encoding: CellEncoding,
        except isUnchanged: (Int) -> Bool
    ) {
        locked {
            for row in 0..<size.rows where !isUnchanged(row) {
                let cells = encoding.encode(canvas.cells(row: row), columns: size.columns)
                mvwadd_wchnstr(window, CInt(row), 0, cells, CInt(cells.count))
            }
            let cursor = canvas.cursor.flatMap {
                (0..<size.rows).contains($0.row) && (0..<size.columns).contains($0.column) ? $0 : nil
            }
            curs_set(cursor == nil ? 0 : 1)
            if let cursor { wmove(window, CInt(cursor.row), CInt(cursor.column)) }
            wnoutrefresh(window)
            doupdate()
        }
    }

    /// The next byte, or number of a key; `nil` if nothing is there.
    func read() -> CInt? {
        let code = locked { wgetch(input) }
        return code < 0 ? nil : code
    }

    /// The actions of the mouse since this was last asked. One number of a key may stand for several of them.
    func pointers(_ clicks: inout ClickCounter) -> [Pointer] {
        let events = locked {
            var (events, event) = ([MEVENT](), MEVENT())
            // Gives the last one first.
            while getmouse(&event) == 0 { events.append(event) }
            return events
        }
        return events.reversed().compactMap { pointer($0, &clicks) }
    }

    private func pointer(_ event: MEVENT, _ clicks: inout ClickCounter) -> Pointer? {
        let place = Place(row: Int(event.y), column: Int(event.x))
        let buttons = Int(event.bstate)
        if buttons & Int(BUTTON4_PRESSED) != 0 { return Pointer(place: place, action: .wheelUp) }
        if buttons & Int(BUTTON5_PRESSED) != 0 { return Pointer(place: place, action: .wheelDown) }
        if buttons & Int(BUTTON1_PRESSED) != 0 { return Pointer(place: place, action: clicks.press(at: place, .now)) }
        return buttons & Int(BUTTON1_RELEASED) != 0 ? Pointer(place: place, action: .release) : nil
    }

    /// A string capability of the terminal, which lives as long as the screen.
    static func capability(_ name: String) -> UnsafeMutablePointer<CChar>? {
        // -1 for a name that is no string's.
        tigetstr(name).flatMap { Int(bitPattern: $0) == -1 ? nil : $0 }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        cncurses_session_lock()
        defer { cncurses_session_unlock() }
        return body()
    }

    private static func unusable(_ reason: String) -> ScreenFailure {
        let type = getenv("TERM").map { String(cString: $0) } ?? ""
        return ScreenFailure(
            description: type.isEmpty
                ? "cannot draw on the terminal: the variable TERM is not set"
                : "cannot draw on the terminal: its type \"\(type)\" (variable TERM) \(reason)"
        )
    }
}
