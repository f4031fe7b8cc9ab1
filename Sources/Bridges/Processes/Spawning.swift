import Bus
import CLinux
import Glibc
import SystemPackage

/// posix_spawn(3): does what a fork would, and reports when the program could not be run.
struct Spawning: ~Copyable {
    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()

    init(ownGroup: Bool) {
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = ownGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
    }

    deinit {
        // Copies share the content, and there is no other way to lend a value that is being consumed.
        var (actions, attributes) = (actions, attributes)
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }

    mutating func connect(_ descriptor: CInt, to number: CInt) {
        posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }

    mutating func openNull(as number: CInt) {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
    }

    mutating func start(in directory: FilePath) {
        _ = directory.withPlatformString { clinux_spawn_directory(&actions, $0) }
    }

    mutating func run(
        _ executable: FilePath,
        _ arguments: [String],
        _ environment: ChildProcess.Environment
    ) throws(ProcessError) -> pid_t {
        // Not every descriptor of a process was opened with the flag that closes it.
        _ = clinux_spawn_close_from(&actions, 3)
        var words = [executable.withPlatformString { strdup($0) }] + arguments.map { strdup($0) }
        var variables = Self.variables(environment)?.map { strdup("\($0.key)=\($0.value)") }
        defer { for pointer in words + (variables ?? []) { free(pointer) } }
        words.append(nil)
        variables?.append(nil)
        var pid: pid_t = 0
        let code = executable.withPlatformString { path in
            if var variables { return posix_spawnp(&pid, path, &actions, &attributes, words, &variables) }
            return posix_spawnp(&pid, path, &actions, &attributes, words, clinux_environment())
        }
        guard code == 0 else { throw ProcessError("start \(executable)", code: code) }
        return pid
    }

    /// Nil for this process's variables, unchanged.
    private static func variables(_ environment: ChildProcess.Environment) -> [String: String]? {
        switch environment {
        case .inherited: return nil
        case .only(let variables): return variables
        case .updating(let changes):
            var variables = inherited()
            for (name, value) in changes { variables[name] = value }
            return variables
        }
    }

    private static func inherited() -> [String: String] {
        var variables: [String: String] = [:]
        var next = clinux_environment()
        while let entry = next?.pointee {
            let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            next = next?.advanced(by: 1)
        }
        return variables
    }
}
