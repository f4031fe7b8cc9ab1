import CLinux
import Glibc

/// Reading a mapped file that was cut short, among handlers of others.
enum Guarding {
    static func run(_ scene: String) {
        switch scene {
        case "ignored":
            signal(SIGBUS, SIG_IGN)
            acquire()
            raise(SIGBUS)
            Output.line("goes on")
        case "replaced":
            acquire()
            install { _, _, _ in Guarding.end("other handler") }
            clinux_sigbus_renew()
            readBeyondTheEnd()
            raise(SIGBUS)
        case "passed back":
            install { _, _, _ in Guarding.end("first handler") }
            acquire()
            install { number, information, context in
                if let other = Guarding.before.__sigaction_handler.sa_sigaction { other(number, information, context) }
            }
            clinux_sigbus_renew()
            readBeyondTheEnd()
            raise(SIGBUS)
        case "exhausted":
            acquire()
            readBeyondTheEnd { Limits.descriptors = 0 }
        case "released":
            let count = Facts.entries("/proc/self/fd").count
            for _ in 0..<3 { acquire() }
            for _ in 0..<3 { clinux_sigbus_release() }
            Output.line("\(Facts.entries("/proc/self/fd").count - count) descriptors more")
        default: Output.line("unknown scene \(scene)")
        }
    }

    /// The handler that `install` took the place of.
    nonisolated(unsafe) private static var before = sigaction()

    private static func acquire() {
        let result = clinux_sigbus_acquire()
        if result != 0 { Output.line("refused: \(result)") }
    }

    private static func install(
        _ handler: @escaping @convention(c) (CInt, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void
    ) {
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = handler
        action.sa_flags = SA_SIGINFO
        sigaction(SIGBUS, &action, &before)
    }

    private static func end(_ name: StaticString) {
        // From a signal handler, so nothing that allocates.
        write(STDOUT_FILENO, name.utf8Start, name.utf8CodeUnitCount)
        write(STDOUT_FILENO, "\n", 1)
        _exit(3)
    }

    /// - Parameter prepare: called when the file is mapped and cut short.
    private static func readBeyondTheEnd(_ prepare: () -> Void = {}) {
        let size = 3 * sysconf(CInt(_SC_PAGESIZE))
        var name = Array("/tmp/guarded.XXXXXX".utf8CString)
        let file = mkstemp(&name)
        unlink(name)
        ftruncate(file, size)
        guard let memory = mmap(nil, size, PROT_READ, MAP_SHARED, file, 0), memory != MAP_FAILED else {
            return Output.line("no memory")
        }
        ftruncate(file, 0)
        prepare()
        clinux_sigbus_enter()
        let byte = memory.load(fromByteOffset: size - 1, as: UInt8.self)
        clinux_sigbus_leave()
        Output.line("read \(byte), \(clinux_sigbus_faults()) faults")
    }
}
