/// The entry arrays of the file, or those of one DATA object, while entries are added to them.
struct EntryArrayChain {
    /// The place for the offset of the next array.
    var link: Int
    /// The offset of the last array; 0 while there is none.
    var tail = 0
    var tailCapacity = 0
    var tailCount = 0
    var total = 0

    init(link: Int) { self.link = link }

    var isFull: Bool { tailCount == tailCapacity }

    /// How many slots journald would give the next array.
    var grownCapacity: Int { max(4, total > tailCapacity ? (total + 1) * 2 : tailCapacity * 2) }
}
