/// FNV-1a of 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/): the same in every run and on every machine, unlike Swift's own hashes. No
/// protection from somebody who chooses the bytes.
package enum FNV1a {
    /// - Parameter start: the hash of the bytes before these.
    package static func hash(_ bytes: some Sequence<UInt8>, from start: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
        // Other modules call this unspecialised: with a witness call for each byte, if the bytes were not lent.
        bytes.withContiguousStorageIfAvailable { mixed($0, start) } ?? mixed(bytes, start)
    }

    private static func mixed(_ bytes: some Sequence<UInt8>, _ start: UInt64) -> UInt64 {
        bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
