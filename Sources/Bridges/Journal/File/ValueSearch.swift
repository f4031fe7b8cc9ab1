/// A search among a journal's values: of each list of tests, one at least holds for every entry that is wanted.
struct ValueSearch {
    let tests: [[ValueTest]]
    let layout: FieldLayout
    let threads: WorkerThreads
    let memories: PassMemories
    /// Into parts of about so many bytes files are divided among the threads.
    let segmentSize: Int

    /// `nil` where there is nothing to search for.
    init?(_ query: JournalQuery, threads: WorkerThreads = WorkerThreads(1), segmentSize: Int = 4 << 20) {
        guard !query.tests.isEmpty else { return nil }
        self.segmentSize = segmentSize
        self.threads = threads
        memories = PassMemories(limit: threads.count + 1)
        tests = query.tests
        layout = query.layout
    }
}
