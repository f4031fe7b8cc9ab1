/// IP addresses and networks as people write them. Addresses are 4 or 16 bytes; a network has one more, the prefix'
/// length in bits.
enum NetworkText {
    /// `nil` for anything else, for an address with a zone, and for an IPv4 address in the dotted IPv6 form.
    static func address(_ text: some Collection<UInt8>) -> [UInt8]? {
        // The longest has 45 characters.
        guard text.count <= 45 else { return nil }
        let bytes = Array(text)
        return bytes.contains(UInt8(ascii: ":")) ? longAddress(bytes) : dotted(bytes[...])
    }

    static func network(_ text: some Collection<UInt8>) -> [UInt8]? {
        let bytes = Array(text.prefix(64))
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")), let address = address(bytes[..<slash]) else {
            return nil
        }
        let digits = bytes[(slash + 1)...]
        guard let length = number(digits, upTo: 128), length <= address.count * 8 else { return nil }
        return address + [UInt8(length)]
    }

    /// The value to compare: an IPv4 address that is written as an IPv6 one in hexadecimal (`::ffff:a00:1`) is the
    /// IPv4 address, and likewise a network of such addresses (RFC 4291, section 2.5.5.2).
    static func unmapped(address: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        isMapped(address) ? UnsafeRawBufferPointer(rebasing: address[12...]) : address
    }

    /// The same of a network, as its address and its prefix' length.
    static func unmapped(
        network: UnsafeRawBufferPointer
    ) -> (address: UnsafeRawBufferPointer, length: Int) {
        let address = UnsafeRawBufferPointer(rebasing: network.dropLast())
        let (plain, length) = (unmapped(address: address), Int(network.last ?? 0))
        if plain.count == address.count { return (address, length) }
        return length < 96 ? (address, length) : (plain, length - 96)
    }

    private static func isMapped(_ address: UnsafeRawBufferPointer) -> Bool {
        address.count == 16 && address.loadUnaligned(as: UInt64.self) == 0
            && UInt32(bigEndian: address.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) == 0xFFFF
    }

    static func format(address: some Collection<UInt8>) -> String {
        let bytes = Array(address)
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
        let zeros = longestZeros(groups)
        func joined(_ range: Range<Int>) -> String {
            groups[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        return zeros.count < 2 ? joined(0..<8) : joined(0..<zeros.lowerBound) + "::" + joined(zeros.upperBound..<8)
    }

    static func format(network: some Collection<UInt8>) -> String {
        let bytes = Array(network)
        return format(address: bytes.dropLast()) + "/" + String(bytes.last ?? 0)
    }

    /// The first of the longest runs of zeros.
    private static func longestZeros(_ groups: [Int]) -> Range<Int> {
        var best = 0..<0
        var start = 0
        for place in 0...groups.count where place == groups.count || groups[place] != 0 {
            if place - start > best.count { best = start..<place }
            start = place + 1
        }
        return best
    }

    private static func dotted(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        let bytes = parts.compactMap { number($0, upTo: 255).map(UInt8.init) }
        return bytes.count == 4 ? bytes : nil
    }

    /// In decimal, without leading zeros, which some would read as octal.
    private static func number(_ digits: ArraySlice<UInt8>, upTo limit: Int) -> Int? {
        guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.count == 1 || digits.first != 0x30
        else { return nil }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return value <= limit ? value : nil
    }

    private static func longAddress(_ text: [UInt8]) -> [UInt8]? {
        let colon = UInt8(ascii: ":")
        guard let gap = text.indices.dropLast().first(where: { text[$0] == colon && text[$0 + 1] == colon }) else {
            guard let bytes = groups(text[...]), bytes.count == 16 else { return nil }
            return isDressed(bytes, text) ? nil : bytes
        }
        guard let head = groups(text[..<gap], mayEndDotted: false), let tail = groups(text[(gap + 2)...]),
            head.count + tail.count <= 14
        else { return nil }
        let bytes = head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
        return isDressed(bytes, text) ? nil : bytes
    }

    /// `::ffff:192.168.0.1`.
    private static func isDressed(_ bytes: [UInt8], _ text: [UInt8]) -> Bool {
        text.contains(UInt8(ascii: ".")) && bytes.withUnsafeBytes { isMapped($0) }
    }

    /// Hexadecimal groups with colons between them; the last may be an IPv4 address.
    private static func groups(_ text: ArraySlice<UInt8>, mayEndDotted: Bool = true) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        for (place, part) in parts.enumerated() {
            if place == parts.count - 1, mayEndDotted, part.contains(UInt8(ascii: ".")) {
                guard let last = dotted(part) else { return nil }
                bytes += last
                continue
            }
            guard (1...4).contains(part.count) else { return nil }
            var value: UInt32 = 0
            for digit in part {
                guard let digit = Lexer.hexDigit(digit) else { return nil }
                value = value << 4 | digit
            }
            bytes += [UInt8(value >> 8), UInt8(value & 255)]
        }
        return bytes
    }
}
