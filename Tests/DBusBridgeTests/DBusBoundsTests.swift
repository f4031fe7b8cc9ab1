import Bus
import BusTesting
import TestSupport
import Testing
import SystemPackage

@testable import DBusBridge

@Suite("The memory that D-Bus may take")
struct DBusBoundsTests {
    private static let mebibyte = 1 << 20

    @Test("properties: when their memory is used up, the last one that waits is replaced by each new one")
    func properties() {
        let backlog = DBusPropertyBacklog()
        func values(_ number: UInt8) -> [String: DBusValue] {
            ["Large": .bytes([UInt8](repeating: number, count: 20 * Self.mebibyte))]
        }
        // The fourth fills 64 MiB, and the fifth is left open.
        var parcels = (1...5).compactMap { backlog.parcel(values($0)) }
        #expect(parcels.count == 5)
        #expect(backlog.parcel(values(6)) == nil && backlog.parcel(["Small": .int32(1)]) == nil)
        #expect(backlog.parcel(values(7)) == nil)
        for number in [1, 2, 3, 4, 7] as [UInt8] { #expect(parcels.removeFirst().open() == values(number)) }
        // Heard, and so there is room again.
        #expect(backlog.parcel(["Small": .int32(1)])?.open() == ["Small": .int32(1)])
        #expect(backlog.parcel(values(8))?.open() == values(8))
    }

    @Test("answers of this program that nobody reads are bounded")
    func unwritten() {
        var unwritten = DBusUnwritten()
        func add(_ mebibytes: Int, waiting: UInt64) -> Bool {
            unwritten.add(mebibytes * Self.mebibyte, waiting: waiting)
        }
        for number in 0..<8 { #expect(add(8, waiting: UInt64(number))) }
        #expect(!add(1, waiting: 8) && !add(1, waiting: 200))
        // What is refused is bounded, too, with what each message takes besides its text.
        let refused = (8..<200_000).prefix { unwritten.add(40, waiting: UInt64($0), within: 2 * DBusCapacity.size) }
        #expect(refused.count > 1_000 && refused.count < 65_536)
        // They are written, and one more.
        #expect(add(100, waiting: 7))
        #expect(!add(1, waiting: 1))
        #expect(add(1, waiting: 0))
    }

    @Test("a long path counts, too")
    func path() async throws {
        let bus = try TestBus()
        var message = try await bus.connection.call(
            DBusCall(to: DBusNames.bus, at: DBusNames.path, interface: DBusNames.bus, member: "GetId", arguments: [])
        )
        let size = message.footprint
        message.path = "/" + String(repeating: "x", count: 100_000)
        #expect(size < 1_000 && message.footprint > 100_000)
    }

    @Test("open files count, too: 1,024 messages with one each must not use up what a process may open")
    func descriptors() throws {
        let message = try DBusValue.descriptor(DBusDescriptor(duplicating: FileDescriptor(rawValue: 0)))
        let memory = MemoryBudget(DBusCapacity.size)
        let shares = (0..<1_024).map { _ in memory.share(message.footprint) }
        #expect(shares.prefix { $0 != nil }.count < 300)
    }

    @Test("calls that are being answered are bounded by the memory of their arguments")
    func calls() async throws {
        let bus = try TestBus()
        let (serving, caller) = (bus.connection, bus.connection)
        let hold = ReplaySubject<Void, Never>(capacity: 1)
        let interface = DBusInterface("org.example.Store").method("Hold", takes: "ay") { _ in
            _ = try await hold.firstValue()
            return []
        }
        let served = await serving.serving([DBusObject(at: "/store", interfaces: [interface])], as: "org.example.Store")
        let argument = DBusValue.bytes([UInt8](repeating: 1, count: 8 * Self.mebibyte))
        let refused = Heard<String>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    do {
                        _ = try await caller.proxy(for: "org.example.Store", at: "/store")
                            .call(interface: "org.example.Store", member: "Hold", arguments: [argument], timeout: nil)
                    } catch let error as DBusError {
                        refused.append(error.remoteName ?? "\(error)")
                    }
                }
            }
            await until { refused.values.count == 4 }
            hold.send(())
            try await group.waitForAll()
        }
        #expect(refused.values == Array(repeating: DBusReply.Name.limits, count: 4))
        served.dispose()
    }
}
