import Foundation
import Glibc
import TestSupport

/// A folder with the journal of another machine, to which entries can be added, and the busctl-rx that reads it.
struct RemoteScene {
    /// Choices of entries that the other machine is asked for as far as it can.
    static let choices: [[String]] = [
        [], ["-p", "err", "-u", "unit-3"], ["-t", "it's a \"t\"", "-p", "3"], ["-n", "20", "message.contains(\"9\")"],
        ["-n", "20", "-r", "message.contains(\"99\")"], ["_SYSTEMD_UNIT=unit-1.service", "+", "PRIORITY=3"],
        ["-n", "0"], ["-n", "5", "message.endsWith(\"1\") && priority == 1"], ["-S", "@1700000001.5"],
        ["-S", "@1700000000.5", "-U", "@1700000000.75", "-n", "7"], ["-S", "@1700000000.5", "-U", "@1700000000.75"],
        ["-n", "3", "identifier == \"a!b\" or unit == \"none.service\""], ["message == \"none\""],
        ["-g", "number 1.$"],
    ]

    let folder: TemporaryFolder
    private let numbers = Counter()

    /// Counts the entries.
    private final class Counter {
        var count = 0
    }

    /// - Parameter count: how many entries there are.
    init(_ count: Int) throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: journal, withIntermediateDirectories: false)
        try add(count)
    }

    /// The folder with the journal.
    var journal: String { folder.path("journal") }

    /// Adds entries: "number 0", "number 1", …
    func add(_ count: Int) throws {
        let range = numbers.count..<numbers.count + count
        numbers.count += count
        try Self.write(range, to: journal + "/test.journal")
    }

    /// - Parameter step: every so many numbers one is written.
    static func write(_ range: some Sequence<Int>, to path: String) throws {
        let identifiers = ["it's a \"t\"", "a!b", "c\\d"]
        let entries = range.map { number in
            """
            __REALTIME_TIMESTAMP=\(1_700_000_000_000_000 + number * 1000)
            __MONOTONIC_TIMESTAMP=\(1000 + number * 1000)
            _BOOT_ID=\(SyntheticJournal.boot)
            MESSAGE=number \(number)
            PRIORITY=\(number % 8)
            SYSLOG_IDENTIFIER=\(identifiers[number % 3])
            _SYSTEMD_UNIT=unit-\(number % 5).service


            """
        }
        let made = try Command.run(SyntheticJournal.tool, ["-o", path, "-"], input: Data(entries.joined().utf8))
        guard made.status == 0 else { throw Command.Failure(description: "no journal, status \(made.status)") }
    }

    /// What a journal on this machine would show.
    func local(_ choice: [String]) throws -> TailProcess.Ended {
        try TailProcess.run(["tail", "-D", journal, "--no-follow", "-o", "cat"] + choice)
    }

    /// A program of this name comes first in the `PATH` of this environment.
    func environment(_ program: String, _ script: String) throws -> [String: String] {
        let bin = folder.path("bin")
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        try Self.install(script, at: bin + "/" + program)
        return Self.environment.merging(["PATH": bin + ":/usr/bin:/bin"]) { _, own in own }
    }

    static let environment = ["LANG": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin"]

    static func install(_ script: String, at path: String) throws {
        try ("#!/bin/sh\n" + script + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        guard chmod(path, 0o755) == 0 else { throw Command.Failure(description: "\(path): errno \(errno)") }
    }
}
