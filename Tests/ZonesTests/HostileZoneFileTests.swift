import Testing

@testable import Zones

@Suite("Hostile zone files")
struct HostileZoneFileTests {
    private static let whole = ZoneFileBytes(
        transitions: [(-1000, 1), (0, 2), (1000, 1)],
        types: [(0, false, 0), (3600, false, 4), (7200, true, 8)],
        leaps: [(10, 1), (500, 2)],
        footer: "STD-1DST,M3.5.0,M10.5.0/3"
    )

    @Test("a truncated file is refused, wherever it is cut")
    func cut() {
        let bytes = Self.whole.bytes
        #expect(ZoneFile(bytes).zone() != nil)
        for count in bytes.indices { #expect(ZoneFile(Array(bytes[..<count])).zone() == nil) }
    }

    @Test("a file that contradicts itself is refused")
    func contradictions() {
        func refused(_ change: (inout ZoneFileBytes) -> Void) -> Bool {
            var file = Self.whole
            change(&file)
            return ZoneFile(file.bytes).zone() == nil
        }
        #expect(!refused { $0.footer = "" })
        #expect(refused { $0.footer = nil })
        #expect(refused { $0.footer = "no rule" })
        #expect(refused { $0.types = [] })
        #expect(refused { $0.transitions[1].kind = 3 })
        #expect(refused { $0.transitions[1].time = -1000 })
        #expect(refused { $0.transitions[1].time = 1001 })
        #expect(refused { $0.types[1].name = 12 })
        #expect(refused { $0.types[1].offset = .min })
        #expect(refused { $0.types[1].offset = 93_600 })
        #expect(refused { $0.leaps[1].time = 10 })
        #expect(
            refused {
                $0.leaps = [(.min, .max), (0, 1)]; $0.transitions[0].time = .min + 1
            }
        )
        // Microseconds of such times cannot be reckoned with. The first of all times is before the Big Bang.
        for time in [.min + 1, -(1 << 59) - 1] as [Int64] { #expect(refused { $0.transitions[0].time = time }) }
        for time in [1 << 42 + 3, .max - 1] as [Int64] { #expect(refused { $0.transitions[2].time = time }) }
        #expect(!refused { $0.transitions[0].time = -(1 << 59) })
        #expect(refused { $0.version = 1 })
    }

    @Test("counts that are too large for the file are refused", arguments: 0..<6, [0, 44 + 6 + 1])
    func counts(number: Int, block: Int) {
        for count in [Int64(0x7FFF_FFFF), 0xFFFF_FFFF, 0x8000_0000, 70_000] {
            var bytes = Self.whole.bytes
            let place = block + 20 + number * 4
            bytes.replaceSubrange(place..<place + 4, with: ZoneFileBytes.bigEndian(count, 4))
            #expect(ZoneFile(bytes).zone() == nil)
        }
    }

    @Test("no change of bytes crashes the reader, or makes a clock that is off by more than 26 hours")
    func mutations() throws {
        var seed: UInt64 = 0x2026
        func random(_ limit: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % limit
        }
        let names = ["Europe/Dublin", "Africa/Casablanca", "America/Nuuk"]
        var files = try names.map { try ZoneFileError.contents(of: "/usr/share/zoneinfo/\($0)") }
        files.append(Self.whole.bytes)
        var read = 0
        for _ in 0..<4000 {
            var bytes = files[random(files.count)]
            for _ in 0...random(4) {
                let place = random(2) == 0 ? random(min(bytes.count, 100)) : random(bytes.count)
                switch random(4) {
                case 0: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF, 10][random(6)]
                case 1: bytes[place] ^= 1 << UInt8(random(8))
                case 2: bytes.remove(at: place)
                default: bytes.insert(UInt8(random(256)), at: place)
                }
            }
            guard let zone = ZoneFile(bytes).zone() else { continue }
            read += 1
            for time: Int64 in [-62_135_596_800, -1, 0, 1_700_000_000, 253_402_300_799] {
                // A rule may add an hour to a day.
                #expect(abs(zone.offset(at: time)) < 26 * 3600)
                #expect(zone.type(at: time).offset == zone.offset(at: time))
            }
            _ = zone.abbreviations
        }
        #expect(read > 100)
    }
}
