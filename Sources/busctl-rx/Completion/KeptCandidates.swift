/// The filters of the configuration file. A file that is wrong has nothing to offer.
enum KeptCandidates {
    static func all(startingWith typed: String) -> [Candidate] {
        guard let configuration = try? Configuration.current.get() else { return [] }
        return configuration.filters.map { Candidate(text: "@\($0.name)", help: OneLine.of($0.text)) }
            .filter { $0.text.utf8.starts(with: typed.utf8) }
            .sorted { $0.text < $1.text }
    }
}
