import JournalBridge
import Testing
import Records

@Suite("Output buffer")
struct OutputBufferTests {
    @Test func writesNumbersOfEveryLength() {
        var numbers: [UInt64] = [0, .max, .max - 1]
        var power: UInt64 = 1
        for _ in 0..<20 {
            numbers += [power - 1, power, power + 1, power &* 7]
            power = power &* 10
        }
        for number in numbers {
            var buffer = OutputBuffer()
            buffer.append(decimal: number)
            #expect(buffer.withBytes { String(decoding: $0, as: UTF8.self) } == String(number))
        }
    }
}
