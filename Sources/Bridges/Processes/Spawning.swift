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
        let set = environment.changes.compactMap { name, value in value.map { "\(name)=\($0)" } }
        // There it would end, and the rest be lost.
        guard !(arguments + set).contains(where: { $0.utf8.contains(0) }) else {
            throw ProcessError("pass a text with a zero byte to \(executable)", code: EINVAL)
        }
        var words = [executable.withPlatformString { strdup($0) }] + arguments.map { strdup($0) }
        var variables = environment.isInherited ? nil : environment.kept + set.map { strdup($0) }
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
}

extension ChildProcess.Environment {
    fileprivate var isInherited: Bool { if case .inherited = self { true } else { false } }

    /// Those that are set for the child; nil for those that it does not get.
    fileprivate var changes: [String: String?] {
        switch self {
        case .inherited: [:]
        case .only(let variables): variables
        case .updating(let changes): changes
        }
    }

    /// Copies of this process's variables, as they are, but for those that are changed. They need not be text.
    fileprivate var kept: [UnsafeMutablePointer<CChar>?] {
        guard case .updating(let changes) = self else { return [] }
        var kept: [UnsafeMutablePointer<CChar>?] = []
        var next = clinux_environment()
        while let entry = next?.pointee {
            next = next?.advanced(by: 1)
            // A character may consist of the sign and of what the value begins with.
            let name = String(cString: entry).utf8.prefix { $0 != UInt8(ascii: "=") }
            if !changes.keys.contains(String(decoding: name, as: UTF8.self)) { kept.append(strdup(entry)) }
        }
        return kept
    }
}
