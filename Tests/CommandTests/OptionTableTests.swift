import Testing

@testable import busctl_rx

@Suite("What is derived from the options of a command")
struct OptionTableTests {
    @Test(
        "-h is one screen, and shows a line for each option that has one",
        arguments: BusctlRx.commands.map { $0.name }
    )
    func brief(name: String) throws {
        let command = try #require(Arguments.command(named: name))
        let lines = HelpText.brief(of: command).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 24)
        for line in lines { #expect(line.count <= 80, "\(line)") }
        for option in command.table.declarations where option.brief != nil {
            #expect(lines.contains { $0.hasPrefix("  \(option.synopsis) ") }, "\(option.synopsis)")
        }
    }

    @Test("--help and the shells' completion show each option", arguments: BusctlRx.commands.map { $0.name })
    func whole(name: String) throws {
        let command = try #require(Arguments.command(named: name))
        let lines = HelpText.of(command, width: 80).split(separator: "\n")
        for option in command.table.declarations {
            #expect(lines.count { $0 == "  \(option.synopsis)" || $0.hasPrefix("  \(option.synopsis) ") } == 1)
        }
        let offered = CommandHelp.options(of: name)
        #expect(Set(offered.map(\.text)) == command.table.names)
        for option in offered { #expect(!option.help.isEmpty && !option.help.hasPrefix("<"), "\(option.text)") }
    }

    @Test("a name stands for one option", arguments: BusctlRx.commands.map { $0.name })
    func unique(name: String) throws {
        let table = try #require(Arguments.command(named: name)).table
        #expect(table.declarations.flatMap(\.allNames).count == table.names.count)
    }

    @Test("an option with the same name takes a value in each command that has it, or in none")
    func alike() {
        var takesValue: [String: Bool] = [:]
        for command in BusctlRx.commands {
            for option in command.table.declarations {
                for name in option.names where name.hasPrefix("--") {
                    #expect(takesValue[name] ?? option.kind.takesValue == option.kind.takesValue, "\(name)")
                    takesValue[name] = option.kind.takesValue
                }
            }
        }
    }
}
