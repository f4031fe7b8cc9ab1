/// FNV-1a of 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/): the same in every run and on every machine, unlike Swift's own hashes. No
/// protection from somebody who chooses the bytes.
package enum FNV1a {
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
