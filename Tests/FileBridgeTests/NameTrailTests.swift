@testable import FileBridge
import Glibc
import TestSupport
import Testing

@Suite("The names of rotated files")
struct NameTrailTests {
    private var trail = NameTrail("log")

    private mutating func note(_ event: CInt, _ name: FileName, _ cookie: UInt32 = 0) {
        trail.note(RawChange(watch: 1, mask: UInt32(event), cookie: cookie, name: name))
    }

    private mutating func move(_ name: FileName, _ other: FileName, _ cookie: UInt32) {
        note(CInt(IN_MOVED_FROM), name, cookie)
        note(CInt(IN_MOVED_TO), other, cookie)
    }

    @Test("a file is found under its last name; changes of other files do not matter")
    mutating func moves() {
        trail.start(isAtName: true)
        #expect(trail.next == nil && trail.isAtName)
        move("log", "log.1", 1)
        #expect(!trail.isAtName && trail.next == nil)
        note(CInt(IN_CREATE), "log")
        note(CInt(IN_CREATE), "other")
        #expect(trail.isAtName && trail.next == .named("log"))
        let version = trail.version
        move("other", "another", 2)
        #expect(trail.version == version)
        move("log.1", "log.2", 3)
        move("log", "log.1", 4)
        note(CInt(IN_CREATE), "log")
        #expect(trail.next == .named("log.1") && trail.version != version)
        trail.take()
        #expect(trail.next == .named("log"))
        trail.take()
        #expect(trail.next == nil)
    }

    @Test("a file that was deleted, overwritten or moved out of sight is gone")
    mutating func gone() {
        trail.start(isAtName: true)
        note(CInt(IN_CREATE), "log")
        note(CInt(IN_DELETE), "log")
        #expect(trail.next == .gone)
        trail.take()
        note(CInt(IN_CREATE), "log")
        move("new", "log", 5)
        #expect(trail.next == .gone)
        trail.take()
        #expect(trail.next == .named("log"))
        note(CInt(IN_MOVED_FROM), "log", 6)
        #expect(trail.next == .moving)
        note(CInt(IN_MOVED_TO), "log.1", 6)
        #expect(trail.next == .named("log.1"))
        note(CInt(IN_MOVED_FROM), "log.1", 7)
        trail.giveUpMove()
        #expect(trail.next == .gone)
    }

    @Test("the opened file does not count as new when it returns")
    mutating func back() {
        trail.start(isAtName: true)
        move("log", "away", 1)
        trail.start(isAtName: false)
        move("away", "log", 2)
        #expect(trail.next == nil && trail.isAtName)
    }

    @Test("of too many files the oldest are forgotten")
    mutating func many() {
        trail.start(isAtName: true)
        for number in 0..<1_000 {
            note(CInt(IN_CREATE), "log")
            move("log", FileName("log.\(number)"), UInt32(number + 1))
        }
        #expect(trail.next == .gone)
        trail.take()
        #expect(trail.next == .named("log.745"))
    }
}
