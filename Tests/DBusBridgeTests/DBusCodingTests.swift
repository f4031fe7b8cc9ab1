import DBusBridge
import Testing

@Suite("Values of D-Bus and Swift types")
struct DBusCodingTests {
    struct Unit: Codable, Equatable {
        var name: String
        var job: UInt32
        var path: String
    }

    struct Settings: Codable, Equatable {
        enum Mode: String, Codable { case fast, slow }
        var mode: Mode
        var limit: Int?
        var ratio: Double
        var tags: [String]
        var inner: [String: Int]
    }

    @Test("a structure fills properties in their order, also within arrays")
    func structures() throws {
        let type = DBusType.structure([.string, .uint32, .objectPath])
        let value = DBusValue.array(
            [
                .structure(["a.service", .uint32(7), .objectPath("/a")]),
                .structure(["b", .uint32(0), .objectPath("/b")]),
            ],
            of: type
        )
        let units = [Unit(name: "a.service", job: 7, path: "/a"), Unit(name: "b", job: 0, path: "/b")]
        #expect(try value.decode([Unit].self) == units)
        #expect(try DBusValue(encoding: units, as: "a(suo)") == value)
    }

    @Test("a dictionary of variants fills properties by name; nil values are left out, unknown names skipped")
    func dictionaries() throws {
        let value: DBusValue = [
            "mode": "fast", "ratio": .double(0.5), "tags": .array(["x", "y"], of: .string),
            "inner": ["one": .byte(1)], "unknown": true,
        ]
        let settings = Settings(mode: .fast, limit: nil, ratio: 0.5, tags: ["x", "y"], inner: ["one": 1])
        #expect(try value.decode(Settings.self) == settings)
        let encoded = try DBusValue(encoding: settings, as: "a{sv}")
        #expect(encoded["mode"] == .variant("fast") && encoded["limit"] == nil)
        #expect(encoded["inner"]?.unwrapped["one"] == .variant(.int64(1)))
        #expect(try encoded.decode(Settings.self) == settings)
    }

    @Test("numbers convert to any type that has room for them, in both directions")
    func numbers() throws {
        #expect(try DBusValue.variant(.uint64(.max)).decode(UInt64.self) == .max)
        #expect(try DBusValue.byte(7).decode(Double.self) == 7)
        #expect(throws: DecodingError.self) { try DBusValue.int64(-1).decode(UInt.self) }
        #expect(throws: DecodingError.self) { try DBusValue.int32(300).decode(UInt8.self) }
        #expect(throws: DecodingError.self) { try DBusValue.string("7").decode(Int.self) }
        #expect(try DBusValue(encoding: 7, as: "y") == .byte(7))
        #expect(try DBusValue(encoding: UInt8(7), as: "d") == .double(7))
        #expect(throws: EncodingError.self) { try DBusValue(encoding: 256, as: "y") }
        #expect(throws: EncodingError.self) { try DBusValue(encoding: "text", as: "u") }
        #expect(throws: DBusSignatureError.self) { try DBusValue(encoding: 1, as: "ii") }
    }

    @Test("dictionaries with other keys than text")
    func keys() throws {
        let value = DBusValue.dictionary(
            DBusDictionary(keyType: .uint32, valueType: .string, entries: [.init(key: .uint32(5), value: "five")])
        )
        #expect(try value.decode([Int: String].self) == [5: "five"])
        #expect(try value.decode([UInt32: String].self) == [5: "five"])
        #expect(try DBusValue(encoding: [5: "five"], as: "a{us}") == value)
        #expect(try DBusValue(encoding: [UInt32(5): "five"], as: "a{us}") == value)
        let paths = try DBusValue(encoding: ["/a": [1]], as: "a{oai}")
        #expect(
            paths
                == .dictionary(
                    DBusDictionary(
                        keyType: .objectPath,
                        valueType: .array(.int32),
                        entries: [.init(key: .objectPath("/a"), value: .array([.int32(1)], of: .int32))]
                    )
                )
        )
    }

    @Test("without a signature the nearest type is taken")
    func inferred() throws {
        #expect(try DBusValue(encoding: 1).type.code == "x")
        #expect(try DBusValue(encoding: [UInt8(1), 2]) == .bytes([1, 2]))
        #expect(try DBusValue(encoding: ["a", "b"]).type.code == "as")
        #expect(try DBusValue(encoding: [String]()).type.code == "av")
        #expect(try DBusValue(encoding: [String: Int]()).type.code == "a{sv}")
        #expect(try DBusValue(encoding: ["a": 1])["a"] == .variant(.int64(1)))
        #expect(try DBusValue(encoding: DBusValue.byte(1)) == .byte(1))
    }

    @Test("bytes, untyped values and messages")
    func others() throws {
        #expect(try DBusValue.bytes([1, 2]).decode([UInt8].self) == [1, 2])
        #expect(try DBusValue.bytes([1, 2]).decode([Int].self) == [1, 2])
        #expect(try DBusValue.array(["x"], of: .string).decode([DBusValue].self) == ["x"])
        #expect(try DBusValue.array([.variant("x")], of: .variant).decode([DBusValue].self) == [.variant("x")])
        #expect(try DBusValue.array([.variant("x")], of: .variant).decode([String].self) == ["x"])
        #expect(try DBusValue(encoding: [DBusValue.byte(1)], as: "av") == .array([.variant(.byte(1))], of: .variant))
        #expect(throws: EncodingError.self) { try DBusValue(encoding: DBusValue.byte(1), as: "s") }
    }

    @Test("an error says where it is")
    func places() throws {
        let value: DBusValue = ["inner": .array([.structure([.byte(1), "x"])], of: .structure([.byte, .string]))]
        struct Outer: Decodable { var inner: [Unit] }
        let error = #expect(throws: DecodingError.self) { try value.decode(Outer.self) }
        guard case .typeMismatch(_, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["inner", "Index 0", "name"])
        #expect(context.debugDescription.contains("'y'"))
        let short = #expect(throws: DecodingError.self) { try DBusValue.structure(["a"]).decode(Unit.self) }
        #expect("\(String(describing: short))".contains("member 2 of a structure that has 1"))
        #expect(throws: EncodingError.self) { try DBusValue(encoding: Unit(name: "", job: 1, path: "/"), as: "(su)") }
        #expect(throws: EncodingError.self) { try DBusValue(encoding: Unit(name: "", job: 1, path: "/"), as: "(suos)") }
        #expect(throws: EncodingError.self) { try DBusValue(encoding: [1, nil], as: "ai") }
    }
}
