import Glibc
import Synchronization
import Testing

@testable import Zones

@Suite("The zone database")
struct ZoneDatabaseTests {
    @Test(
        "a name that cannot be a file's is not looked for",
        arguments: [
            "../etc/passwd", "/etc/localtime", "Europe/", "Europe//Berlin", "", "a b", "a.b", "a\0b", "é",
            String(repeating: "a", count: 65),
        ]
    )
    func malformed(name: String) {
        let fault = #expect(throws: ZoneFault.self) { try ZoneDatabase.system.zone(named: name) }
        #expect(fault == ZoneFault(zone: name, path: nil, code: EINVAL))
    }

    @Test("an unreadable zone says why")
    func faults() throws {
        let folder = try ZoneFolder()
        func code(_ name: String) -> CInt? {
            do throws(ZoneFault) {
                _ = try folder.database.zone(named: name)
                return nil
            } catch {
                return error.code
            }
        }
        try folder.write("text", Array("no zone\n".utf8))
        try folder.write("large", [UInt8](repeating: 0, count: 65_537))
        #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0)
        #expect(code("none") == ENOENT)
        #expect(code("text") == 0)
        #expect(code("large") == EFBIG)
        // Does not wait for a writer.
        #expect(code("pipe") == 0)
        let fault = ZoneFault(zone: "A/B", path: "/z/A/B", code: EACCES)
        #expect(fault.description { "code \($0)" } == "cannot read the time zone \"A/B\" from /z/A/B: code 13")
    }

    @Test("the local zone is that of TZ, otherwise of the local file, otherwise UTC")
    func local() throws {
        let folder = try ZoneFolder()
        func hours(_ variable: String?) throws -> Int64 {
            folder.variable.withLock { $0 = variable }
            return try folder.database.local().offset(at: 0) / 3600
        }
        #expect(try hours(nil) == 0)
        try folder.write("localtime", hours: 3)
        try folder.write("Five", hours: 5)
        #expect(try hours(nil) == 3)
        for text in ["", ":", "UTC", ":UTC"] { #expect(try hours(text) == 0) }
        for text in ["Five", ":Five", "\(folder.path)/Five", ":\(folder.path)/Five"] { #expect(try hours(text) == 5) }
        #expect(try hours("XXX-2") == 2)
        for text in ["No/Such_Zone", "X-2", "../Five", "/no/such/file"] {
            let fault = #expect(throws: ZoneFault.self) { try hours(text) }
            #expect(fault?.description { "\($0)" }.isEmpty == false)
        }
        try folder.write("localtime", Array("no zone\n".utf8))
        #expect(throws: ZoneFault(zone: "", path: folder.localFile, code: 0)) { try hours(nil) }
    }
}
