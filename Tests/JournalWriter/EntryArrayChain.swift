/// The entry arrays of the file, or those of one DATA object, while entries are added to them.
struct EntryArrayChain {
    /// Where the offset of the next array is to be written.
    var link: Int
    /// Of the last array; 0 as long as there is none.
    var tail = 0
    var tailCapacity = 0
    var tailCount = 0
    var total = 0

    init(link: Int) { self.link = link }

    var isFull: Bool { tailCount == tailCapacity }

    /// How many slots journald gives the next array.
    var grownCapacity: Int { max(4, total > tailCapacity ? (total + 1) * 2 : tailCapacity * 2) }
}
