import Foundation

/// The settings from the command line.
struct Settings {
    var isQuick = false
    /// Names of the benchmarks to run; empty for all.
    var only: [String] = []
    /// For the journal with few fields an entry.
    var journalEntries = 1_000_000
    /// For the journal with many fields an entry.
    var wideEntries = 400_000
    /// For the journal of many units, and the one with scattered values.
    var unitEntries: Int { isQuick ? 60_000 : 1_000_000 }
    var scatteredEntries: Int { isQuick ? 30_000 : 300_000 }
    /// The release build of the command line.
    var command = ""
    /// The folder of `journal-floor` and `measured`.
    var tools = ""
    /// The folder in which sample journals are kept between runs.
    var cache = ""
    var listsNames = false
    /// Whether other programs use the processors, too. The wall-clock time of a process is then shown but not judged,
    /// because it depends on how the kernel shares the processors out. That affects a process with several threads even
    /// more.
    var isBesideOtherWork = false

    static let usage = """
        usage: busctl-rx-bench [--quick] [--only NAME]... [--entries COUNT] [--wide-entries COUNT] [--list]
                               [--command PATH] [--tools DIRECTORY] [--cache DIRECTORY]

          --quick         smaller sizes, under a minute; the bounds on whole processes are shown but not enforced
          --only          run this benchmark; may be given several times
          --entries       entries in the journal of few fields (1000000; with --quick 50000)
          --wide-entries  entries in the journal of many fields (400000; with --quick 10000)
          --list          print the benchmarks' names
          --command       the busctl-rx to measure
          --tools         where journal-floor and measured lie
          --cache         where the sample journals are kept
        """

    /// How many rounds each contender runs.
    var rounds: Int { isQuick ? 3 : 9 }

    /// How many rounds each process runs.
    var processRounds: Int { isQuick ? 2 : 5 }

    /// How many rounds each process runs if some take seconds.
    var slowProcessRounds: Int { isQuick ? 2 : 3 }

    func events(_ count: Int) -> Int { isQuick ? count / 8 : count }
}

extension Settings {
    /// - Throws: ``Complaint`` that says what is wrong with the arguments.
    init(arguments: [String], environment: [String: String], programDirectory: String) throws {
        command = environment["BUSCTL_RX"] ?? ""
        tools = programDirectory
        cache = (environment["TMPDIR"] ?? "/tmp") + "/busctl-rx-bench"
        var entries: Int?
        var wide: Int?
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            func value() throws -> String {
                guard let value = rest.popFirst() else { throw Complaint("\(argument) needs a value\n\(Self.usage)") }
                return value
            }
            func count() throws -> Int {
                guard let count = Int(try value()), count > 0 else {
                    throw Complaint("\(argument) needs a number above zero")
                }
                return count
            }
            switch argument {
            case "--quick": isQuick = true
            case "--list": listsNames = true
            case "--only": only.append(try value())
            case "--command": command = try value()
            case "--tools": tools = try value()
            case "--cache": cache = try value()
            case "--entries": entries = try count()
            case "--wide-entries": wide = try count()
            default: throw Complaint("no such option: \(argument)\n\(Self.usage)")
            }
        }
        journalEntries = entries ?? (isQuick ? 50_000 : 1_000_000)
        wideEntries = wide ?? (isQuick ? 10_000 : 400_000)
    }
}

extension Settings {
    /// Creates the folder for kept files, and checks that there is a command to measure.
    func requireCommand() throws {
        guard access(command, X_OK) == 0 else {
            throw Complaint(
                "no busctl-rx at \"\(command)\"; build it and name it with --command, or use Scripts/bench.sh"
            )
        }
        do {
            try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
        } catch {
            throw Complaint("cannot make the folder \(cache): \(error.localizedDescription)")
        }
    }
}
