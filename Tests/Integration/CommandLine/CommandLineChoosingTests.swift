import Foundation
import JournalWriter
import TestSupport
import Testing

/// journalctl's options for choosing entries, as people type them. They select the entries that journalctl selects.
@Suite(
    "busctl-rx tail chooses entries as journalctl does",
    .enabled(if: Command.exists("/usr/bin/journalctl"), "needs journalctl: apt-get install systemd")
)
struct CommandLineChoosingTests {
    private static let boots = (1...3).map { ID128(UInt64($0) << 60, 0x8000_0000_0000_0000 + UInt64($0)) }
    private static let start: UInt64 = 1_700_000_000_000_000

    /// Two sources of fields, one after the other: typical entries of services, of the kernel and of users.
    private static let kinds: [[String]] = [
        [
            "MESSAGE=GET /index.html", "PRIORITY=6", "SYSLOG_IDENTIFIER=nginx", "_SYSTEMD_UNIT=nginx.service",
            "_PID=10", "_UID=33",
        ],
        [
            "MESSAGE=Segfault at 0", "PRIORITY=2", "SYSLOG_IDENTIFIER=nginx", "_SYSTEMD_UNIT=nginx.service", "_PID=11",
            "_UID=33",
        ],
        [
            "MESSAGE=Started nginx.", "PRIORITY=6", "SYSLOG_IDENTIFIER=systemd", "UNIT=nginx.service", "_PID=1",
            "_UID=0", "_SYSTEMD_UNIT=init.scope",
        ],
        ["MESSAGE=pretends", "PRIORITY=6", "UNIT=nginx.service", "_PID=99", "_UID=1000", "_SYSTEMD_UNIT=evil.service"],
        [
            "MESSAGE=dumped", "MESSAGE_ID=fc2e22bc6ee647b6b90729ab34a250b1", "COREDUMP_UNIT=web-1.service", "_UID=0",
            "PRIORITY=2",
        ],
        ["MESSAGE=about", "OBJECT_SYSTEMD_UNIT=web-2.service", "_UID=0", "PRIORITY=4", "_SYSTEMD_UNIT=polkit.service"],
        ["MESSAGE=web one", "_SYSTEMD_UNIT=web-1.service", "PRIORITY=3", "SYSLOG_IDENTIFIER=web", "SYSLOG_FACILITY=3"],
        [
            "MESSAGE=web ten", "_SYSTEMD_UNIT=web-10.service", "PRIORITY=7", "SYSLOG_IDENTIFIER=web",
            "SYSLOG_FACILITY=16",
        ],
        [
            "MESSAGE=session", "_SYSTEMD_UNIT=session-1.scope", "PRIORITY=5", "SYSLOG_IDENTIFIER=sshd",
            "SYSLOG_FACILITY=10", "_UID=0",
        ],
        ["MESSAGE=eth0: link up", "PRIORITY=6", "_TRANSPORT=kernel", "SYSLOG_FACILITY=0", "SYSLOG_IDENTIFIER=kernel"],
        ["MESSAGE=usb error", "PRIORITY=3", "_TRANSPORT=kernel", "SYSLOG_FACILITY=0", "SYSLOG_IDENTIFIER=kernel"],
        ["MESSAGE=in the sound server", "_SYSTEMD_USER_UNIT=sound.service", "_UID=\(getuid())", "PRIORITY=6"],
        ["MESSAGE=another's", "_SYSTEMD_USER_UNIT=sound.service", "_UID=4242", "PRIORITY=6"],
        ["MESSAGE=started by the user's manager", "USER_UNIT=sound.service", "_UID=\(getuid())", "PRIORITY=6"],
        ["MESSAGE=without anything"], ["NOTE=without a message", "PRIORITY=3"],
        ["MESSAGE=two\nlines of ERROR", "PRIORITY=3", "SYSLOG_IDENTIFIER=a b"],
        ["MESSAGE=mount", "_SYSTEMD_UNIT=srv.mount"],
        ["MESSAGE=slice", "_SYSTEMD_SLICE=user.slice", "_SYSTEMD_UNIT=user@1.service", "_PID=10"],
        ["MESSAGE=in the user's slice", "_SYSTEMD_USER_SLICE=app.slice", "_UID=\(getuid())"],
        ["MESSAGE=in another's", "_SYSTEMD_USER_SLICE=app.slice", "_UID=4242"],
        ["MESSAGE=\u{C4}rger", "PRIORITY=99", "_PID=x"], ["MESSAGE=\u{C4}RGER", "PRIORITY=007"],
    ]

    /// Three boots in two files, the second boot in both.
    private func write(to folder: TemporaryFolder) throws {
        var entries: [JournalFileEntry] = []
        for number in 0..<300 {
            let boot = Self.boots[number / 100]
            entries.append(
                JournalFileEntry(
                    sequence: UInt64(number + 1),
                    realtime: Self.start + UInt64(number) * 60_000_000,
                    monotonic: UInt64(number % 100 + 1) * 60_000_000,
                    boot: boot,
                    fields: (["_BOOT_ID=\(boot)", "NUMBER=\(number)"] + Self.kinds[number % Self.kinds.count]).map {
                        Array($0.utf8)
                    }
                )
            )
        }
        for (name, part) in [("0", entries[..<150]), ("1", entries[150...])] {
            var form = JournalFileForm()
            form.fileID = ID128(UInt64(part.count), UInt64(part.startIndex + 1))
            var writer = JournalFileWriter(form)
            for entry in part { writer.append(entry) }
            try Data(writer.bytes()).write(to: URL(fileURLWithPath: folder.path("\(name).journal")))
        }
    }

    private static let invocations: [[String]] = [
        ["-u", "nginx"], ["-u", "nginx.service"], ["-unginx"], ["--unit=nginx", "--unit", "web-1"], ["-u", "web-*"],
        ["-u", "web-?"], ["-u", "web-?.service"], ["-u", "web-[12].service"], ["-u", "web-[!1]*"], ["-u", "srv.mount"],
        ["-u", "/srv"], ["-u", "//srv/./"], ["-u", "web-[!]0]*"], ["-u", "web-*", "-u", "ng*", "-u", "srv.mount"],
        ["-u", "session-1.scope"],
        ["-u", "user.slice"], ["-u", "us*.slice"], ["-u", "us*"], ["-u", "[!a]*"], ["--user-unit", "app.slice"],
        ["--user-unit", "ap*"], ["-u", "none"], ["--user-unit", "sound"], ["--user-unit", "so*"],
        ["-u", "nginx", "--user-unit", "sound"], ["-p", "err"], ["-p3"], ["-p", "warning..err"],
        ["-p", "err..warning"],
        ["--priority=2..2"], ["-p", "debug"], ["-t", "nginx"], ["-t", "web", "-t", "sshd"], ["-t", "a b"],
        ["--facility", "kern"], ["--facility=daemon,local0"], ["--facility", "10"], ["-k", "-b", "all"],
        ["-k", "-b", "1"], ["-b"], ["-b", "-1"], ["-b-2"], ["-b", "2"], ["--boot=3"], ["-b", "0"],
        ["-b", "\(boots[1])"], ["-b", "\(boots[1])+1"], ["-b\(boots[1])-1"], ["-b", "-u", "nginx"],
        ["-g", "error"], ["-g", "ERROR"], ["-g", "^web (one|ten)$"], ["--grep=link.*up", "-p", "info"],
        ["-S", "2023-11-14 23:00:00"], ["-U", "2023-11-14 23:00:00"], ["-S", "@1700003000", "-U", "@1700006000"],
        ["--since=2023-11-15 01:00", "--unit", "nginx"], ["-S", "yesterday"], ["-U", "today"], ["-S", "-1h"],
        ["_PID=1"], ["_PID=10", "_PID=11"], ["_PID=10", "_UID=33"], ["_PID=10", "+", "_UID=0"],
        ["_PID=10", "_SYSTEMD_UNIT=nginx.service", "+", "PRIORITY=2", "_UID=0"], ["PRIORITY=3", "-b", "-1"], ["_PID=x"],
        ["SYSLOG_IDENTIFIER=a b"], ["_PID=010"], ["PRIORITY=9"], ["-n", "5", "-u", "nginx"],
        ["PRIORITY=99"], ["PRIORITY=007", "PRIORITY=3"], ["_PID=x", "PRIORITY=99"], ["PRIORITY="],
        ["-g", "\u{C4}rger"],
        ["-g", "\u{C4}RGER"], ["-u", "web-[[:digit:]]*"], ["-u", "web-[![:alpha:]].service"],
        ["-u", "[[:alpha:]0-9]*"],
        ["-S", "2023-11-14 18:00 America/New_York"],
        ["-S", "2023-11-14 18:00 EST", "-U", "2023-11-15 07:00 Asia/Kathmandu"],
        ["-n5", "-p", "err", "-b", "-1"],
    ]

    @Test("the entries are the same, byte for byte in the export format", arguments: invocations)
    func same(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        try write(to: folder)
        let theirs = try Command.run(
            "/usr/bin/env",
            ["TZ=UTC", "journalctl", "-D", folder.path(""), "-q", "-o", "export"] + arguments
        )
        let ours = try TailProcess.run(
            ["tail", "-D", folder.path(""), "--no-follow", "-o", "export"] + arguments,
            input: Data()
        )
        #expect(ours.output == String(decoding: theirs.output, as: UTF8.self))
        #expect(ours.errors == "")
        #expect(ours.status == (ours.output.isEmpty ? 1 : 0))
    }

    @Test("nearly all of these invocations select something, and none selects everything")
    func meaningful() throws {
        let folder = try TemporaryFolder()
        try write(to: folder)
        let nothing = [
            ["-u", "none"], ["-u", "web-?"], ["-S", "yesterday"], ["-S", "-1h"], ["_PID=010"], ["PRIORITY=9"],
            ["PRIORITY="],
        ]
        for arguments in Self.invocations where !nothing.contains(arguments) {
            let ended = try TailProcess.run(
                ["tail", "-D", folder.path(""), "--no-follow", "-o", "cat", "--output-fields", "NUMBER"] + arguments,
                input: Data()
            )
            let count = ended.output.split(separator: "\n").count
            #expect(
                count > 0 && (count < 300 || arguments == ["-U", "today"] || arguments == ["-p", "debug"]),
                "\(arguments): \(count)"
            )
        }
    }

    @Test("an option and a filter must both hold, and an identifier can be excluded")
    func filters() throws {
        let folder = try TemporaryFolder()
        try write(to: folder)
        func numbers(_ arguments: String...) throws -> [String] {
            let ended = try TailProcess.run(
                ["tail", "-D", folder.path(""), "--no-follow", "-o", "cat", "--output-fields", "NUMBER"] + arguments,
                input: Data()
            )
            #expect(ended.errors == "")
            return ended.output.split(separator: "\n").map(String.init)
        }
        #expect(
            try numbers("-u", "nginx", "_PID == 10 // the first") == numbers("_SYSTEMD_UNIT=nginx.service", "_PID=10")
        )
        #expect(try numbers("-T", "nginx", "-T", "web").count == 300 - numbers("-t", "nginx", "-t", "web").count)
        #expect(try numbers("-p", "err", "-g", "zzz") == [])
        #expect(try numbers("-k", "-p", "err") == numbers("_TRANSPORT == 'kernel' && priority <= 3"))
    }

    @Test("an invalid filter is shown alone, even with options")
    func wrongFilter() throws {
        let ended = try TailProcess.run("tail", "-p", "err", "mesage == 'x'")
        #expect(ended.status == 2)
        #expect(ended.errors.contains("line 1, column 1") && !ended.errors.contains("priority"), "\(ended.errors)")
    }

    @Test("a boot that is not in the journal is reported")
    func missingBoot() throws {
        let folder = try TemporaryFolder()
        try write(to: folder)
        for boot in ["-5", "4", "\(ID128(9, 9))+1", "\(ID128(9, 9))", "-2147483648"] {
            let ended = try TailProcess.run("tail", "-D", folder.path(""), "--no-follow", "-b", boot)
            #expect(ended.status == 1 && ended.output == "")
            #expect(ended.errors.contains("the journal has no boot"), "\(ended.errors)")
        }
    }

    @Test("explain shows the filter that the options produce")
    func explained() throws {
        let ended = try TailProcess.run("explain", "-u", "nginx", "-p", "err", "_PID=1")
        #expect(ended.status == 0 && ended.errors == "")
        for part in ["unit == \"nginx.service\"", "priority <= 3", "_PID == 1"] {
            #expect(ended.output.contains(part), "\(ended.output)")
        }
        #expect(try TailProcess.run("explain").status == 2)
        let uncounted = try TailProcess.run("explain", "-I", "-u", "nginx", "--from", "export:-")
        #expect(uncounted.status == 2 && uncounted.errors.contains("counted in a journal"), "\(uncounted)")
    }

    @Test("the lists of boots and of a field's values are journalctl's")
    func lists() throws {
        let folder = try TemporaryFolder()
        try write(to: folder)
        func theirs(_ arguments: String...) throws -> String {
            let arguments = ["TZ=UTC", "journalctl", "-D", folder.path("")] + arguments
            return String(decoding: try Command.run("/usr/bin/env", arguments).output, as: UTF8.self)
        }
        let boots = try TailProcess.run("tail", "-D", folder.path(""), "--list-boots")
        #expect(try boots == .init(status: 0, output: theirs("--list-boots"), errors: ""))
        for format in ["json", "json-pretty", "json-seq", "json-sse"] {
            let boots = try TailProcess.run("tail", "-D", folder.path(""), "--list-boots", "-o", format)
            #expect(try boots == .init(status: 0, output: theirs("--list-boots", "-o", format), errors: ""))
        }
        let newest = try TailProcess.run("tail", "-D", folder.path(""), "--list-boots", "-n", "2")
        let lines = boots.output.split(separator: "\n")
        #expect(newest.output == (lines.prefix(1) + lines.suffix(2)).map { "\($0)\n" }.joined())
        let reversed = try TailProcess.run("tail", "-D", folder.path(""), "--list-boots", "-r", "-n", "2")
        #expect(reversed.output == (lines.prefix(1) + lines.suffix(2).reversed()).map { "\($0)\n" }.joined())
        for field in ["_SYSTEMD_UNIT", "MESSAGE", "PRIORITY", "_BOOT_ID"] {
            let values = try TailProcess.run("tail", "-D", folder.path(""), "-F", field)
            #expect(
                try values.output.split(separator: "\n").sorted() == theirs("-F", field).split(separator: "\n").sorted()
            )
            #expect(values.status == 0 && values.output.count > 3)
        }
        #expect(
            try TailProcess.run("tail", "-D", folder.path(""), "-F", "NONE") == .init(status: 1, output: "", errors: "")
        )
        let names = try TailProcess.run("tail", "-D", folder.path(""), "-N")
        #expect(try names.output.split(separator: "\n") == theirs("-N").split(separator: "\n").sorted())
        #expect(names.status == 0 && names.errors == "" && names.output.contains("_SYSTEMD_UNIT\n"), "\(names)")
        // From the entries, because the index cannot be used.
        for name in ["0", "1"] {
            var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path("\(name).journal")))
            bytes[bytes.startIndex + 112] ^= 0xFF
            try bytes.write(to: URL(fileURLWithPath: folder.path("\(name).journal")))
        }
        let units = try TailProcess.run("tail", "-D", folder.path(""), "-F", "_SYSTEMD_UNIT")
        #expect(units.output.split(separator: "\n").count == 9, "\(units)")
        let again = try TailProcess.run("tail", "-D", folder.path(""), "--list-boots")
        #expect(again.output == boots.output, "\(again)")
        // The table of fields of one file.
        let path = folder.path("0.journal")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.startIndex + 120] ^= 0xFF
        try bytes.write(to: URL(fileURLWithPath: path))
        let rest = try TailProcess.run("tail", "-D", folder.path(""), "--fields")
        #expect(rest == names, "\(rest)")
    }

    @Test("following ends at the --until time")
    func until() throws {
        let folder = try TemporaryFolder()
        try write(to: folder)
        let ended = try TailProcess.run(
            "tail",
            "-D",
            folder.path(""),
            "-f",
            "-o",
            "cat",
            "-U",
            "+1s",
            "-n",
            "1",
            "--output-fields",
            "NUMBER"
        )
        #expect(ended == .init(status: 0, output: "299\n", errors: ""))
    }

    @Test("what is there is shown whole if the --until time has passed")
    func pastUntil() throws {
        let folder = try TemporaryFolder()
        try write(to: folder)
        let log = folder.path("log.json")
        let lines = (0..<UInt64(300)).map { "{\"time\":\(Self.start / 1_000_000 + $0 * 60),\"msg\":\"\($0)\"}\n" }
        try lines.joined().write(toFile: log, atomically: false, encoding: .utf8)
        let until = "@\(Self.start / 1_000_000 + 149 * 60)"
        let shown = ["-o", "cat", "-n", "all", "-U", until]
        for (command, options, count) in [
            ("tail", ["-D", folder.path("")] + shown, 150), ("tail", ["--from", "json:\(log)"] + shown, 150),
            ("count", ["-D", folder.path(""), "-U", until], 1), ("count", ["--from", "json:\(log)", "-U", until], 1),
        ] {
            let whole = try TailProcess.run([command, "--no-follow"] + options)
            #expect(whole.status == 0 && whole.output.split(separator: "\n").count >= count, "\(whole)")
            for _ in 0..<5 { #expect(try TailProcess.run([command, "-f"] + options) == whole) }
        }
        // Nothing that such a source could say is wanted.
        let live = try TailProcess.run("tail", "--from", "every:1h", "--from", "json:\(log)", "-o", "cat", "-U", until)
        #expect(live.status == 0 && live.output.hasSuffix("149\n"), "\(live)")
    }

    @Test("following continues if the --until time is beyond the range of timers")
    func farUntil() throws {
        let folder = try TemporaryFolder()
        try write(to: folder)
        let ended = try TailProcess.run(
            ["tail", "-D", folder.path(""), "-f", "-o", "cat", "-U", "9999-12-30", "-n", "1", "--timeout", "1s"]
        )
        #expect(ended.status == 124 && !ended.output.isEmpty, "\(ended)")
    }

    @Test(
        "a time is parsed as it is shown, with the zone's abbreviation at that time",
        arguments: [
            ("Europe/Berlin", "Sun 2026-10-25 02:30:00 CEST", 1_792_888_200),
            ("Europe/Berlin", "2026-10-25 02:30 cet", 1_792_891_800),
            ("Asia/Kathmandu", "Mon 2026-11-23 10:00:00 +0545", 1_795_407_300),
            ("UTC", "2026-11-23 10:00 UTC", 1_795_428_000),
            ("Europe/Berlin", "2026-11-23 10:00 CEST", nil), ("Europe/Berlin", "2026-11-23 10:00 EST", 1_795_446_000),
            ("Europe/Berlin", "2026-11-23 10:00 XYZ", nil), ("Asia/Tokyo", "2026-11-23 10:00 Europe/Berl!n", nil),
        ] as [(String, String, Int?)]
    )
    func zone(zone: String, time: String, seconds: Int?) throws {
        let ended = try TailProcess.run(["explain", "-S", time], environment: ["LANG": "C", "TZ": zone])
        #expect(ended.status == (seconds == nil ? 2 : 0))
        if let seconds { #expect(ended.output.contains("__REALTIME_TIMESTAMP >= \(seconds)000000"), "\(ended)") }
    }

    @Test("many patterns become one regular expression for each field")
    func manyPatterns() throws {
        let options = (0..<60).flatMap { ["-u", "a\($0)*"] } + (0..<20).flatMap { ["--user-unit", "b\($0)*"] }
        let ended = try TailProcess.run(["explain"] + options)
        #expect(ended.status == 0 && ended.errors == "", "\(ended)")
    }

    @Test(
        "a unit is named by systemd's rules",
        arguments: [
            ("nginx.d", "nginx.d.service"), ("/", "-.mount"), ("/home/a-b", "home-a\\\\x2db.mount"),
            ("/dev/sda1", "dev-sda1.device"), ("/.a", "\\\\x2ea.mount"), ("a b", "a\\\\x20b.service"),
            ("ü", "\\\\xc3\\\\xbc.service"), ("x\\x2dy", "x\\\\x2dy.service"), ("u@1.service", "u@1.service"),
        ]
    )
    func unitName(typed: String, name: String) throws {
        let ended = try TailProcess.run("explain", "-u", typed)
        #expect(ended.output.contains("unit == \"\(name)\""), "\(ended.output)")
    }
}
