import Testing

@testable import NATSBridge

@Suite("A message of NATS as the content of a record")
struct ContentTests {
    @Test("headers are an object by name, in their order; several values of a name are a list")
    func headers() {
        let headers = NATSHeaders([.init("b", "1"), .init("a", "2"), .init("b", "3"), .init("c", "4")])
        #expect(String(decoding: headers.json, as: UTF8.self) == #"{"b":["1","3"],"a":"2","c":"4"}"#)
    }

    @Test("a message of many names takes no longer than its size")
    func manyNames() {
        let fields = (0..<100_000).map { NATSHeaders.Field("k\($0)", "v") }
        let json = NATSHeaders(fields).json
        #expect(json.count { $0 == UInt8(ascii: ":") } == 100_000)
    }
}
