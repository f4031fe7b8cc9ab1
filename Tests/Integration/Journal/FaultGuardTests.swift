import Glibc
import Testing

/// The handler that keeps files which shrink from ending the process, in one of its own.
@Suite("Reading beyond the end of a file that shrinks")
struct FaultGuardTests {
    private func said(_ scene: String) throws -> (lines: [String], status: CInt) {
        let probe = try ProbeProcess("guard", scene)
        var lines: [String] = []
        while let line = try probe.line() { lines.append(line) }
        return (lines, try probe.end())
    }

    @Test("SIGBUS that was sent and is ignored stays ignored")
    func ignored() throws {
        #expect(try said("ignored").lines == ["goes on"])
    }

    @Test("a handler that comes later keeps neither the guard from its faults nor loses its own")
    func replaced() throws {
        let ended = try said("replaced")
        #expect(ended.lines == ["read 0, 1 faults", "other handler"])
        #expect(ended.status == -4)
    }

    @Test("a handler that passes on to the guard does not go in circles")
    func passedBack() throws {
        let ended = try said("passed back")
        #expect(ended.lines == ["read 0, 1 faults", "first handler"])
        #expect(ended.status == -4)
    }

    @Test("no descriptor is needed when it happens")
    func exhausted() throws {
        #expect(try said("exhausted").lines == ["read 0, 1 faults"])
    }

    @Test("the last who needs the guard leaves no descriptor behind")
    func released() throws {
        #expect(try said("released").lines == ["0 descriptors more"])
    }
}
