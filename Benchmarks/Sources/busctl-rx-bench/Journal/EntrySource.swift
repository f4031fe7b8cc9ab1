/// Generates entries in the journal export format, the same at every run.
protocol EntrySource {
    /// Appends the entry of that number. Called in order, from 0 on.
    mutating func append(_ number: Int, to text: inout [UInt8])
}
