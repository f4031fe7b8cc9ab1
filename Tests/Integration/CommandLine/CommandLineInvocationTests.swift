import Foundation
import JournalWriter
import Testing

/// journalctl 252 has no such options. The expected values come from the fields that it prints as JSON.
@Suite(
    "busctl-rx tail knows the invocations of a unit",
    .enabled(if: Command.exists("/usr/bin/journalctl"), "needs journalctl: apt-get install systemd")
)
struct CommandLineInvocationTests {
    private static let boots = (1...2).map { ID128(UInt64($0) << 60, 0x8000_0000_0000_0000 + UInt64($0)) }
    private static let start: UInt64 = 1_700_000_000_000_000

    private static func id(_ number: Int) -> String { "\(ID128(0xABCD << 48 + UInt64(number), 0x8000_0000_0000_0001))" }

    /// Entries of one invocation of `web.service`, and entries that only seem to be of it.
    private static func entries(of number: Int) -> [[String]] {
        let id = id(number)
        let earlier = Self.id(number == 0 || number == 4 ? number : number - 1)
        return [
            ["MESSAGE=Starting", "_PID=1", "UNIT=web.service", "INVOCATION_ID=\(id)", "_SYSTEMD_UNIT=init.scope"],
            ["MESSAGE=says", "_PID=77", "_SYSTEMD_UNIT=web.service", "_SYSTEMD_INVOCATION_ID=\(id)"],
            ["MESSAGE=pretends", "_PID=99", "UNIT=web.service", "INVOCATION_ID=\(Self.id(900))"],
            ["MESSAGE=other", "_PID=1", "UNIT=db.service", "INVOCATION_ID=\(Self.id(100 + number))"],
            ["MESSAGE=other says", "_SYSTEMD_UNIT=db.service", "_SYSTEMD_INVOCATION_ID=\(Self.id(100 + number))"],
            ["MESSAGE=about", "_UID=0", "OBJECT_SYSTEMD_UNIT=web.service", "OBJECT_SYSTEMD_INVOCATION_ID=\(id)"],
            [
                "MESSAGE=of a user", "_UID=\(getuid())", "_SYSTEMD_USER_UNIT=app.service",
                "_SYSTEMD_INVOCATION_ID=\(Self.id(200 + number))",
            ],
            [
                "MESSAGE=of the user's manager", "_UID=\(getuid())", "USER_UNIT=app.service",
                "USER_INVOCATION_ID=\(Self.id(200 + number))",
            ],
            [
                "MESSAGE=of another user", "_UID=4242", "_SYSTEMD_USER_UNIT=app.service",
                "_SYSTEMD_INVOCATION_ID=\(Self.id(300))",
            ],
            ["MESSAGE=no id", "_SYSTEMD_UNIT=web.service", "_SYSTEMD_INVOCATION_ID=x"],
            // After the start of the next invocation, as if by a process that was left behind.
            ["MESSAGE=late", "_PID=77", "_SYSTEMD_UNIT=web.service", "_SYSTEMD_INVOCATION_ID=\(earlier)"],
        ]
    }

    /// Six invocations in two boots and three files. The first invocation of the second file is also in the first file.
    private func write(to folder: TemporaryFolder) throws {
        let all = (0..<6).flatMap(Self.entries).enumerated().map { number, fields in
            let boot = Self.boots[number < 44 ? 0 : 1]
            return JournalFileEntry(
                sequence: UInt64(number + 1),
                realtime: Self.start + UInt64(number) * 1_000_000,
                monotonic: UInt64(number + 1) * 1_000_000,
                boot: boot,
                fields: (["_BOOT_ID=\(boot)", "NUMBER=\(number)"] + fields).map { Array($0.utf8) }
            )
        }
        for (name, part) in [("0", all[..<25]), ("1", all[25..<50]), ("2", all[50...])] {
            var form = JournalFileForm()
            form.fileID = ID128(UInt64(part.count), UInt64(part.startIndex + 1))
            var writer = JournalFileWriter(form)
            for entry in part { writer.append(entry) }
            try Data(writer.bytes()).write(to: URL(fileURLWithPath: folder.path("\(name).journal")))
        }
    }

    private typealias Entry = [String: String]

    private func objects(_ folder: TemporaryFolder) throws -> [Entry] {
        let printed = try Command.run("/usr/bin/journalctl", ["-D", folder.path(""), "-q", "-o", "json"])
        return try printed.output.split(separator: 10).compactMap {
            try JSONSerialization.jsonObject(with: $0) as? Entry
        }
    }

    private static func isID(_ text: String?) -> Bool { text?.count == 32 }

    /// The invocation of `web.service` that an entry belongs to.
    private static func system(_ entry: Entry) -> String? {
        if entry["_SYSTEMD_UNIT"] == "web.service" { return entry["_SYSTEMD_INVOCATION_ID"] }
        if entry["_PID"] == "1", entry["UNIT"] == "web.service" { return entry["INVOCATION_ID"] }
        if entry["_UID"] == "0", entry["OBJECT_SYSTEMD_UNIT"] == "web.service" {
            return entry["OBJECT_SYSTEMD_INVOCATION_ID"]
        }
        return nil
    }

    /// The same for the user's `app.service`.
    private static func user(_ entry: Entry) -> String? {
        guard entry["_UID"] == "\(getuid())" else { return nil }
        if entry["_SYSTEMD_USER_UNIT"] == "app.service" { return entry["_SYSTEMD_INVOCATION_ID"] }
        return entry["USER_UNIT"] == "app.service" ? entry["USER_INVOCATION_ID"] : nil
    }

    /// The numbers of the entries of each invocation. The invocations are in the order in which they began.
    private static func groups(_ entries: [Entry], _ invocation: (Entry) -> String?) -> [(id: String, numbers: [Int])] {
        var groups: [(id: String, numbers: [Int])] = []
        for entry in entries {
            guard let id = invocation(entry), isID(id), let number = entry["NUMBER"].flatMap(Int.init) else { continue }
            if let index = groups.firstIndex(where: { $0.id == id }) {
                groups[index].numbers.append(number)
            } else {
                groups.append((id, [number]))
            }
        }
        return groups
    }

    private func tail(_ folder: TemporaryFolder, _ arguments: [String]) throws -> TailProcess.Ended {
        try TailProcess.run(["tail", "-D", folder.path(""), "--no-follow"] + arguments)
    }

    private func numbers(_ folder: TemporaryFolder, _ arguments: [String]) throws -> [Int] {
        let ended = try tail(folder, ["-o", "cat", "--output-fields", "NUMBER"] + arguments)
        #expect(ended.errors == "")
        return ended.output.split(separator: "\n").compactMap { Int($0) }
    }

    private func json(_ groups: [(id: String, numbers: [Int])]) -> String {
        let objects = groups.enumerated().map { index, group in
            let times = [group.numbers.first, group.numbers.last].map { Self.start + UInt64($0 ?? 0) * 1_000_000 }
            return "{\"index\":\(index - groups.count + 1),\"invocation_id\":\"\(group.id)\","
                + "\"first_entry\":\(times[0]),\"last_entry\":\(times[1])}"
        }
        return "[\(objects.joined(separator: ","))]\n"
    }

    @Test("each is listed once, with its first and last entry, even without an index", arguments: [false, true])
    func list(isDamaged: Bool) throws {
        let folder = try TemporaryFolder()
        try write(to: folder)
        let entries = try objects(folder)
        let groups = (Self.groups(entries, Self.system), Self.groups(entries, Self.user))
        #expect(entries.count == 66 && groups.0.count == 6 && groups.1.count == 6)
        if isDamaged {
            for name in ["0", "2"] {
                let path = URL(fileURLWithPath: folder.path("\(name).journal"))
                var bytes = try Data(contentsOf: path)
                bytes[bytes.startIndex + 112] ^= 0xFF
                try bytes.write(to: path)
            }
        }
        let list = ["--list-invocations", "-o", "json"]
        #expect(
            try tail(folder, list + ["-u", "web"]) == .init(status: 0, output: json(groups.0), errors: "")
        )
        #expect(try tail(folder, list + ["--user-unit=app"]).output == json(groups.1))
        // Numbered within the boot, in which the fifth invocation is the first.
        let ofBoot = groups.0.filter { $0.numbers[0] >= 44 }
        #expect(try tail(folder, list + ["-u", "web", "-b", "2"]).output == json(ofBoot))
        #expect(try tail(folder, list + ["-u", "none"]) == .init(status: 1, output: "", errors: ""))
        let table = try tail(folder, ["--list-invocations", "-u", "web", "-n", "1"])
        #expect(
            table.output == """
                IDX INVOCATION ID                    FIRST ENTRY                 LAST ENTRY
                  0 \(Self.id(5)) Tue 2023-11-14 22:14:15 UTC Tue 2023-11-14 22:14:20 UTC

                """
        )
    }

    @Test("the newest invocation is listed before the index has its only entry")
    func unlinked() throws {
        let folder = try TemporaryFolder()
        var writer = JournalFileWriter(JournalFileForm())
        for (number, fields) in (0..<2).map({ Self.entries(of: $0)[0] }).enumerated() {
            writer.append(
                JournalFileEntry(
                    sequence: UInt64(number + 1),
                    realtime: Self.start + UInt64(number) * 1_000_000,
                    monotonic: UInt64(number + 1),
                    boot: Self.boots[0],
                    fields: fields.map { Array($0.utf8) }
                )
            )
        }
        var bytes = writer.bytes()
        let payload = Array("INVOCATION_ID=\(Self.id(1))".utf8)
        let start = JournalFileForm().payloadStart
        let place = try #require(
            writer.places.first { $0.kind == .data && bytes[($0.offset + start)...].starts(with: payload) }
        )
        // The offset of the first entry, and the number of entries.
        for offset in [40, 56] {
            bytes.replaceSubrange(
                place.offset + offset..<place.offset + offset + 8,
                with: [UInt8](repeating: 0, count: 8)
            )
        }
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path("0.journal")))
        let ended = try tail(folder, ["--list-invocations", "-u", "web", "-o", "json"])
        #expect(ended.output == json([(Self.id(0), [0]), (Self.id(1), [1])]), "\(ended)")
    }

    @Test("an invocation's entries are chosen by its number, its id or a number relative to an id")
    func chosen() throws {
        let folder = try TemporaryFolder()
        try write(to: folder)
        let groups = Self.groups(try objects(folder), Self.system)
        let typed: [(String, Int)] = [
            ("0", 5), ("-1", 4), ("-5", 0), ("1", 0), ("6", 5), (Self.id(2), 2), (Self.id(2) + "-1", 1),
            (Self.id(2).uppercased() + "+3", 5),
        ]
        for (value, index) in typed {
            #expect(try numbers(folder, ["-u", "web", "--invocation", value]) == groups[index].numbers, "\(value)")
        }
        #expect(try numbers(folder, ["-Iu", "web"]) == groups[5].numbers)
        #expect(try numbers(folder, ["-I", "-b", "1", "-u", "web"]) == groups[3].numbers)
        let user = Self.groups(try objects(folder), Self.user)
        #expect(try numbers(folder, ["-I", "--user-unit", "app"]) == user[5].numbers)
        #expect(try numbers(folder, ["--invocation", Self.id(203)]) == user[3].numbers)
        #expect(
            try numbers(folder, ["--invocation", "all", "-u", "web", "-g", "says"])
                == numbers(folder, ["-u", "web", "-g", "says"])
        )
        #expect(
            try numbers(folder, ["-I", "-u", "web", "message == 'says'"]) == groups[5].numbers.filter { $0 % 11 == 1 }
        )
    }

    @Test("an invocation that the journal does not have is reported")
    func missing() throws {
        let folder = try TemporaryFolder()
        try write(to: folder)
        for value in ["7", "-6", "\(Self.id(7))-1", "\(Self.id(0))-1", "2147483647"] {
            let ended = try tail(folder, ["-u", "web", "--invocation", value])
            #expect(ended.status == 1 && ended.output == "", "\(ended)")
            #expect(ended.errors.contains("the journal has no invocation"), "\(ended.errors)")
        }
        let none = try tail(folder, ["-u", "none", "-I"])
        #expect(none == .init(status: 1, output: "", errors: "busctl-rx: the journal has no invocation at all\n"))
    }
}
