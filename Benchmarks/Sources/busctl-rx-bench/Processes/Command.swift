import Glibc

/// A program with its arguments, run to its end by `measured`.
struct Command {
    let arguments: [String]

    init(_ arguments: [String]) {
        self.arguments = arguments
    }

    init(_ arguments: String...) {
        self.init(arguments)
    }

    /// The resources used by one run.
    struct Usage {
        let wallSeconds: Double
        let cpuSeconds: Double
        let peakMegabytes: Double
    }

    /// Runs it with standard output to a file. A status other than 0 is a failure.
    func run(_ settings: Settings, output: String = "/dev/null") throws -> Usage {
        let usageFile = settings.cache + "/usage.\(getpid())"
        defer { unlink(usageFile) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let writing = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, writing, 0o600)
        posix_spawn_file_actions_addopen(&actions, 3, usageFile, writing, 0o600)
        let measured = settings.tools + "/measured"
        var vector = ([measured] + arguments).map { strdup($0) }
        vector.append(nil)
        defer { for text in vector { free(text) } }
        var process = pid_t()
        let code = posix_spawn(&process, measured, &actions, nil, vector, environ)
        guard code == 0 else { throw Complaint("cannot start \(measured): \(String(cString: strerror(code)))") }
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw Complaint("cannot wait for \(measured): error \(errno)") }
        }
        return try usage(from: usageFile)
    }

    private func usage(from path: String) throws -> Usage {
        let numbers = try TextFile.read(path).split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard numbers.count == 5 else { throw Complaint("cannot run \(text): measured wrote no figures") }
        guard numbers[0] == 0 else { throw Complaint("\(text) ended with status \(Int(numbers[0]))") }
        return Usage(
            wallSeconds: numbers[1] / 1e9,
            cpuSeconds: (numbers[2] + numbers[3]) / 1e6,
            peakMegabytes: numbers[4] * 1024 / 1e6
        )
    }

    var text: String { arguments.joined(separator: " ") }
}
