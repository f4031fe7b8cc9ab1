import Foundation
import TestSupport
import Testing

@testable import busctl_rx

@Suite(
    "The manual pages are made from what the program says of itself",
    .enabled(if: Command.exists("/usr/bin/python3"), "needs python3: apt-get install python3")
)
struct ManualPageTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scripts/man.py")

    @Test("what is installed can be removed, to the last page")
    func installed() throws {
        let folder = try TemporaryFolder()
        let script = Self.script.deletingLastPathComponent().appending(path: "install.sh").path
        func files() -> Set<String> {
            let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            return Set(all.filter { (try? Data(contentsOf: URL(filePath: folder.path($0)))) != nil })
        }
        #expect(try Command.run("/bin/bash", [script, TailProcess.program, folder.path]).status == 0)
        #expect(files().count(where: { $0.hasSuffix(".1") }) == 9 && files().contains("bin/busctl-rx"))
        #expect(try Command.run("/bin/bash", [script, "--remove", folder.path]).status == 0)
        #expect(files() == [])
    }

    @Test("each option of a command has its entry, and mandoc finds no fault")
    func pages() throws {
        let folder = try TemporaryFolder()
        let made = try Command.run("/usr/bin/python3", [Self.script.path, TailProcess.program, folder.path("man")])
        try #require(made.status == 0)
        for command in BusctlRx.commands.map({ $0.name }) {
            let page = folder.path("man/busctl-rx-\(command).1")
            let items = try String(contentsOfFile: page, encoding: .utf8).split(separator: "\n")
                .filter { $0.hasPrefix(".It Fl ") }.flatMap { $0.dropFirst(4).split(separator: " , ") }
            let names = items.map { "-" + $0.split(separator: " ")[1].replacing("\\-", with: "-") }
            #expect(Set(names) == Arguments.command(named: command)?.table.names)
            guard Command.exists("/usr/bin/mandoc") else { continue }
            let faults = try Command.run("/usr/bin/mandoc", ["-T", "lint", "-W", "warning", page])
            #expect(String(decoding: faults.output, as: UTF8.self) == "")
        }
    }
}
