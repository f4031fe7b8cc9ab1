import CLinux
import CNcurses
import Glibc

/// The terminal that standard output leads to, as a full screen.
///
/// Keys are read from the same terminal, so standard input may be something else. There is one screen at a time. All methods are called
/// on the thread that made it; other threads have ``waker`` and ``abandon()``. Nothing else may write to the terminal meanwhile: the
/// caller keeps messages for standard error until ``close()``.
///
/// The process stops for SIGTSTP, and draws the screen again when it continues. In the background of a shell it neither draws nor reads,
/// and goes on waiting. SIGINT, SIGTERM and SIGHUP are the caller's. Where they have their default action, the terminal is left first.
package final class Screen {
    /// How long after an escape the rest of a key's sequence may arrive, in milliseconds. The variable ESCDELAY sets
    /// another time.
    private static let escapeDelay: CInt = 25
    /// A shell does not tell a process that runs in the background when it is in the foreground again.
    private static let backgroundPause = Duration.milliseconds(200)
    /// Another process may read what was there to read, but not so many times in a row.
    private static let maxFruitless = 8

    /// Wakes ``events(within:)``.
    package let waker: Waker
    /// Whether the terminal shows more than ASCII. Other characters are replaced if not.
    package let hasUnicode: Bool
    package private(set) var size: (columns: Int, rows: Int)

    private let files: TerminalFiles
    private let library: Ncurses
    private let encoding: CellEncoding
    private var decoder: InputDecoder
    private var clicks = ClickCounter()

    private var canvas: Canvas?
    /// The canvas that ncurses was given.
    private var drawn: Canvas?
    private var isSuspended = false
    private var hasEnded = false
    private var isClosed = false
    private var fruitless = 0

    /// Takes the terminal over.
    ///
    /// Sets the character encoding of the process (`LC_CTYPE`) to that of the environment, so no other thread may use
    /// the C library's functions for characters meanwhile.
    ///
    /// - Parameter usesColor: whether to show colours if the terminal has them.
    package init(usesColor: Bool) throws(ScreenFailure) {
        if let failure = cncurses_load() {
            throw ScreenFailure(
                description: "cannot draw on the terminal: \(String(cString: failure)); "
                    + "install ncurses with wide characters (Debian: libncursesw6, Fedora: ncurses-libs)"
            )
        }
        // A locale that is not installed.
        if setlocale(LC_CTYPE, "") == nil { setlocale(LC_CTYPE, "C.UTF-8") }
        hasUnicode = String(cString: nl_langinfo(nl_item(CODESET))) == "UTF-8"
        waker = try Waker()
        files = try TerminalFiles()
        cncurses_session_begin(fileno(files.output), waker.descriptor)
        do throws(ScreenFailure) {
            library = try Ncurses(files, escapeDelay: Self.escapeDelay)
        } catch {
            cncurses_session_end()
            files.close()
            throw error
        }
        encoding = CellEncoding(hasUnicode: hasUnicode, colors: usesColor ? library.startColors() : [:])
        decoder = InputDecoder(keys: KeyNumbers.all())
        size = library.size
        library.enter()
    }

    deinit { close() }

    /// Shows a canvas in place of the one before. Writes to the terminal what has changed, and blocks while the terminal takes no output.
    package func show(_ canvas: Canvas) {
        self.canvas = canvas
        guard !isSuspended, !isClosed else { return }
        library.draw(canvas, size: size, encoding) { row in
            drawn.map { row < $0.rows && $0.cells(row: row) == canvas.cells(row: row) } ?? false
        }
        drawn = canvas
    }

    /// Clears the terminal and shows the canvas anew, after something else has written to the terminal.
    package func redraw() {
        guard !isSuspended, !isClosed else { return }
        library.clear()
        drawn = nil
        show(canvas ?? Canvas(columns: size.columns, rows: size.rows))
    }

    /// Waits until something happens on the terminal, ``waker`` is used, or the time is over.
    ///
    /// - Parameter limit: how long to wait at most; `nil` for as long as it takes.
    /// - Returns: all that has happened, in its order; nothing if only the wait has ended.
    package func events(within limit: Duration?) -> [ScreenEvent] {
        let deadline = limit.map { ContinuousClock.now + $0 }
        while !isClosed {
            let isWoken = waker.clear()
            var events = handleSignals()
            events += hasEnded || isSuspended ? [] : readInput()
            if hasEnded { events.append(.ended) }
            let rest = deadline.map { $0 - .now }
            if isWoken || !events.isEmpty || rest.map({ $0 <= .zero }) == true { return events }
            wait(isSuspended ? min(rest ?? Self.backgroundPause, Self.backgroundPause) : rest)
        }
        return [.ended]
    }

    /// Leaves the terminal as it was. Further calls do nothing.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        library.close()
        files.close()
    }

    /// Leaves the terminal as it was, from any thread, just before the process ends. If the terminal takes no output,
    /// waits for at most 100 ms, and restores only its settings. Does nothing without a screen.
    package static func abandon() { cncurses_session_abandon() }

    private func wait(_ limit: Duration?) {
        let nanoseconds = limit.map { duration in
            let (seconds, attoseconds) = duration.components
            return seconds > 1_000_000 ? -1 : seconds * 1_000_000_000 + attoseconds / 1_000_000_000 + 1
        }
        let error = clinux_wait_for_either(
            isSuspended ? -1 : fileno(files.input),
            Int16(POLLIN),
            waker.descriptor,
            nanoseconds ?? -1
        )
        if error < 0 { hasEnded = true }
    }

    private func handleSignals() -> [ScreenEvent] {
        let signals = cncurses_session_signals()
        if signals & CNCURSES_STOP != 0, !isSuspended {
            library.leave()
            isSuspended = true
            cncurses_session_stop()
        }
        // Stopped by a signal that cannot be handled: the shell has changed the terminal.
        if signals & CNCURSES_CONTINUE != 0 { isSuspended = true }
        let isContinued = isSuspended && cncurses_session_is_foreground() != 0
        if isContinued {
            isSuspended = false
            library.reenter()
        }
        guard isContinued || signals & CNCURSES_RESIZE != 0, !isSuspended else { return [] }
        let before = size
        library.resize()
        size = library.size
        let isResized = size != before
        if isResized || isContinued { redraw() }
        return isResized ? [.resized] : []
    }

    private func readInput() -> [ScreenEvent] {
        var isFruitless = true
        while let code = library.read() {
            isFruitless = false
            if code == KEY_MOUSE {
                for pointer in library.pointers(&clicks) { decoder.take(pointer) }
            } else {
                decoder.take(code)
            }
        }
        if isFruitless { noteFruitlessRead() } else { fruitless = 0 }
        return decoder.takeEvents()
    }

    /// Nothing could be read: either nothing is there, or nothing ever will be.
    private func noteFruitlessRead() {
        var descriptor = pollfd(fd: fileno(files.input), events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, 0) > 0 else { return fruitless = 0 }
        fruitless += 1
        let isGone = descriptor.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
        hasEnded = isGone || fruitless > Self.maxFruitless
    }
}
