import CSystemd

/// The id after which this machine's journal directories are named.
enum MachineID {
    static var text: String? {
        var id = sd_id128_t()
        guard sd_id128_get_machine(&id) >= 0 else { return nil }
        return withUnsafeBytes(of: &id) { bytes in
            let digits = Array("0123456789abcdef".utf8)
            return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
        }
    }

    static func isIdentifier(_ name: some StringProtocol) -> Bool {
        name.utf8.count == 32 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
