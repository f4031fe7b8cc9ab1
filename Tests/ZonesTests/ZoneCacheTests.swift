import Glibc
import Synchronization
import Testing

@testable import Zones

@Suite("Cached zones")
struct ZoneCacheTests {
    @Test("a changed local file is noticed after a second, and so is a changed TZ")
    func local() throws {
        let folder = try ZoneFolder()
        let cache = folder.cache()
        try folder.write("localtime", hours: 1)
        #expect(cache.hours("Local") == 1)
        try folder.write("localtime", hours: 2)
        folder.pass(seconds: 0.5)
        #expect(cache.hours("Local") == 1)
        folder.pass(seconds: 0.5)
        #expect(cache.hours("Local") == 2)
        folder.variable.withLock { $0 = "XXX-7" }
        #expect(cache.hours("Local") == 2)
        folder.pass(seconds: 1)
        #expect(cache.hours("Local") == 7)
        folder.variable.withLock { $0 = "none" }
        folder.pass(seconds: 1)
        #expect(cache.hours("Local") == nil)
    }

    @Test("the local file may be a link that gets another target")
    func link() throws {
        let folder = try ZoneFolder()
        let cache = folder.cache()
        try folder.write("One", hours: 1)
        try folder.write("Two", hours: 2)
        #expect(symlink("One", folder.localFile) == 0)
        #expect(cache.hours("Local") == 1)
        #expect(symlink("Two", "\(folder.path)/link") == 0 && rename("\(folder.path)/link", folder.localFile) == 0)
        folder.pass(seconds: 1)
        #expect(cache.hours("Local") == 2)
    }

    @Test("a replaced zone is read again, a new one is found, a removed one is missing")
    func named() throws {
        let folder = try ZoneFolder()
        let cache = folder.cache()
        #expect(cache.hours("A") == nil)
        try folder.write("A", hours: 1)
        #expect(cache.hours("A") == nil)
        folder.pass(seconds: 1)
        #expect(cache.hours("A") == 1)
        try folder.write("A", hours: 2)
        folder.pass(seconds: 1)
        #expect(cache.hours("A") == 2)
        unlink("\(folder.path)/A")
        folder.pass(seconds: 1)
        #expect(cache.hours("A") == nil)
    }

    @Test("a zone whose file did not change is not read again")
    func same() throws {
        let folder = try ZoneFolder()
        let cache = folder.cache()
        try folder.write("A", hours: 1)
        let name = Array("A".utf8)
        let first = name.withUnsafeBytes { cache.zone(named: $0) }
        folder.pass(seconds: 5)
        #expect(first != nil && first === name.withUnsafeBytes { cache.zone(named: $0) })
    }

    @Test("invalid names do not fill the cache, and do not hide valid ones")
    func bounded() throws {
        let folder = try ZoneFolder()
        let cache = folder.cache(maxEntries: 4)
        try folder.write("A", hours: 1)
        for number in 0..<100 {
            #expect(cache.hours("none\(number)") == nil)
            #expect(cache.hours("A") == 1)
            #expect(cache.count <= 4)
        }
        #expect(cache.hours(String(repeating: "a", count: 1 << 16)) == nil)
    }
}
