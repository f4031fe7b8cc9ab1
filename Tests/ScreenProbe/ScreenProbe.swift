import Glibc
import Synchronization
import Terminal

/// Shows texts on a screen, and writes down what happens there, for tests: `screen-probe LOG TEXTS`.
///
/// TEXTS is a file of texts with a zero byte between them, each for a row. LOG gets a line for each event. As the command does, the
/// probe reads SIGINT, SIGTERM and SIGHUP instead of having them handled. `q` ends it, `a` ends it from another thread, `!` by a trap.
@main
struct ScreenProbe {
    /// The signal that has come.
    private static let received = Atomic<CInt>(0)

    private static var endingSignals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        return signals
    }

    private let log: UnsafeMutablePointer<FILE>
    private let rows: [String]
    private let screen: Screen

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let log = fopen(arguments[1], "a"), let texts = fopen(arguments[2], "r") else {
            complain("usage: screen-probe LOG TEXTS")
            exit(2)
        }
        setvbuf(log, nil, _IOLBF, 0)
        var bytes: [UInt8] = []
        while let byte = UInt8(exactly: getc(texts)) { bytes.append(byte) }
        let rows = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }

        var signals = endingSignals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        do {
            let screen = try Screen(usesColor: getenv("NO_COLOR") == nil)
            ScreenProbe(log: log, rows: rows, screen: screen).run()
        } catch {
            complain("\(error)")
            exit(3)
        }
    }

    private func run() -> Never {
        watchSignals()
        draw()
        note("shown unicode=\(screen.hasUnicode)")
        while true {
            for event in screen.events(within: nil) {
                note("\(event)")
                handle(event)
            }
            let number = Self.received.load(ordering: .relaxed)
            if number > 0 {
                screen.close()
                note("signal \(number)")
                exit(128 + number)
            }
        }
    }

    private func handle(_ event: ScreenEvent) {
        switch event {
        case .resized: draw()
        case .ended, .text("q"):
            screen.close()
            exit(0)
        case .text("a"):
            Self.startThread(nil) { _ in
                Screen.abandon()
                _exit(4)
            }
        case .text("!"): fatalError("as asked")
        case .key(.control("l")): screen.redraw()
        default: break
        }
    }

    private func watchSignals() {
        Self.startThread(Unmanaged.passRetained(screen.waker).toOpaque()) { waker in
            guard let waker else { return nil }
            var (signals, number) = (ScreenProbe.endingSignals, CInt(0))
            sigwait(&signals, &number)
            ScreenProbe.received.store(number, ordering: .relaxed)
            Unmanaged<Waker>.fromOpaque(waker).takeRetainedValue().wake()
            return nil
        }
    }

    private static func startThread(
        _ argument: UnsafeMutableRawPointer?,
        _ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    ) {
        var thread = pthread_t()
        if pthread_create(&thread, nil, body, argument) == 0 { pthread_detach(thread) }
    }

    private func draw() {
        var canvas = Canvas(columns: screen.size.columns, rows: screen.size.rows)
        for (row, text) in rows.enumerated() { canvas.write(text, row: row, column: 0) }
        let last = screen.size.rows - 1
        let size = "\(screen.size.columns)x\(screen.size.rows)"
        let column = canvas.write(size, row: last, column: 0, style: Style(color: .red, isBold: true))
        canvas.cursor = Place(row: last, column: column)
        screen.show(canvas)
    }

    private func note(_ line: String) { fputs("\(line)\n", log) }

    private static func complain(_ message: String) {
        let bytes = Array("\(message)\n".utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
