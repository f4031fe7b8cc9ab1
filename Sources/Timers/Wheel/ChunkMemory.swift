import CLinux

/// Where a slab's chunks of nodes come from: the first ones from malloc, further ones from regions of huge pages.
///
/// With ten million timers every access is to memory that neither a cache nor the processor's table of pages holds. In
/// huge pages such an access costs a third, since the table then covers the memory.
///
/// It owns its regions alone: `~Copyable`, and `deinit` frees them. What malloc gave is the caller's, who gives back each
/// chunk once, with the region it came from.
struct ChunkMemory: ~Copyable {
    private static var regionSize: Int { 2 << 20 }
    /// So many chunks come from malloc: a region would be far more than a few timers need.
    private static var smallChunks: Int { 64 }

    private struct Region {
        /// Nil while the entry waits for reuse.
        var memory: UnsafeMutableRawPointer?
        var used = 0
        /// Bit n is set when the region's chunk n is free.
        var free: UInt64 = 0
    }

    private let chunkBytes: Int
    private let alignment: Int
    private let chunksPerRegion: Int
    private var regions: [Region] = []
    private var regionsWithRoom: [Int32] = []
    private var vacantEntries: [Int32] = []
    private var smallInUse = 0

    init(chunkBytes: Int, alignment: Int) {
        self.chunkBytes = chunkBytes
        self.alignment = alignment
        // Of a payload so large that a region holds no chunk, all come from malloc.
        let fitting = chunkBytes > 0 ? Self.regionSize / chunkBytes : 0
        chunksPerRegion = min(fitting, 64)
    }

    deinit {
        for region in regions {
            if let memory = region.memory { clinux_huge_free(memory, Self.regionSize) }
        }
    }

    /// Memory for one chunk, not initialised.
    /// - Returns: the memory, and the region that it has to be given back to; none when malloc gave it.
    mutating func allocate() -> (memory: UnsafeMutableRawPointer, region: Int32) {
        if smallInUse >= Self.smallChunks, chunksPerRegion > 0, let chunk = allocateInRegion() { return chunk }
        smallInUse += 1
        return (.allocate(byteCount: chunkBytes, alignment: alignment), .none)
    }

    mutating func free(_ memory: UnsafeMutableRawPointer, region: Int32) {
        guard region != .none else {
            smallInUse -= 1
            return memory.deallocate()
        }
        let entry = Int(region)
        guard let base = regions[entry].memory else { return }
        if regions[entry].used == chunksPerRegion { regionsWithRoom.append(region) }
        regions[entry].used -= 1
        regions[entry].free |= 1 << UInt64((memory - base) / chunkBytes)
        if regions[entry].used == 0 { close(region, base) }
    }

    private mutating func allocateInRegion() -> (memory: UnsafeMutableRawPointer, region: Int32)? {
        if regionsWithRoom.isEmpty, !openRegion() { return nil }
        guard let region = regionsWithRoom.last, let base = regions[Int(region)].memory else { return nil }
        let number = regions[Int(region)].free.trailingZeroBitCount
        regions[Int(region)].free &= regions[Int(region)].free &- 1
        regions[Int(region)].used += 1
        if regions[Int(region)].used == chunksPerRegion { regionsWithRoom.removeLast() }
        return (base + number * chunkBytes, region)
    }

    private mutating func openRegion() -> Bool {
        guard let memory = clinux_huge_allocate(Self.regionSize) else { return false }
        let free = chunksPerRegion == 64 ? UInt64.max : (1 << UInt64(chunksPerRegion)) - 1
        let region = Region(memory: memory, used: 0, free: free)
        if let entry = vacantEntries.popLast() {
            regions[Int(entry)] = region
            regionsWithRoom.append(entry)
        } else {
            regionsWithRoom.append(Int32(truncatingIfNeeded: regions.count))
            regions.append(region)
        }
        return true
    }

    private mutating func close(_ region: Int32, _ base: UnsafeMutableRawPointer) {
        clinux_huge_free(base, Self.regionSize)
        regions[Int(region)] = Region()
        regionsWithRoom.removeAll { $0 == region }
        vacantEntries.append(region)
    }
}
