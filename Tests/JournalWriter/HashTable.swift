/// A hash table of the file. Each bucket contains the first and the last object of a chain.
struct HashTable {
    /// The offset of the first bucket.
    let offset: Int
    private var tails: [Int]
    private var lengths: [Int]

    init(offset: Int, buckets: Int) {
        self.offset = offset
        tails = Array(repeating: 0, count: buckets)
        lengths = tails
    }

    var size: Int { tails.count * 16 }
    /// How many links the longest chain has.
    var depth: Int { max((lengths.max() ?? 0) - 1, 0) }

    /// Adds the object at `object` to its chain. `next_hash_offset` is at byte 24 of both DATA and FIELD.
    mutating func add(_ object: Int, hash: UInt64, to image: inout ByteImage) {
        let bucket = Int(hash % UInt64(tails.count))
        image.put(UInt64(object), at: tails[bucket] == 0 ? offset + 16 * bucket : tails[bucket] + 24)
        image.put(UInt64(object), at: offset + 16 * bucket + 8)
        tails[bucket] = object
        lengths[bucket] += 1
    }
}
