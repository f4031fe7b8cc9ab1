/// Answers the shells' completion scripts: `busctl-rx ---complete tail -u ngi`.
///
/// The arguments are the words up to the cursor; the last word is being typed. Each line of the answer is a candidate
/// for that word, a tab, and its description. A line that begins with a tab asks the shell for names of files
/// instead: a tab, `files` or `directories`, a tab, and the part of the word before the path.
enum Completion {
    /// No option and no command looks like this.
    static let request = "---complete"

    /// Writes the answer and ends the process. Says nothing of errors: they would appear in the prompt.
    static func answer(_ words: [String]) -> Never {
        let output = StandardOutput()
        output.append(Array(lines(words).map { $0 + "\n" }.joined().utf8))
        output.close()
        ExitStatus.matched.end()
    }

    static func lines(_ words: [String]) -> [String] {
        guard let request = CompletionRequest(words) else { return [] }
        let word = request.word
        let values = ValueChoice(request)
        let head = word.prefix(request.head + values.head)
        let typed = String(word.dropFirst(head.count))
        let candidates: [Candidate]
        switch values.kind {
        case .files: return ["\tfiles\t\(head)"]
        case .directories: return ["\tdirectories\t\(head)"]
        case .candidates(let all): candidates = all.filter { $0.text.utf8.starts(with: typed.utf8) }
        case .journal(let question):
            candidates = JournalCandidates.answers(to: question, startingWith: typed, in: request.source)
        }
        let kept = request.subject == .operand ? KeptCandidates.all(startingWith: word) : []
        return kept.map { "\($0.text)\t\($0.help)" } + candidates.map { "\(head)\($0.text)\t\($0.help)" }
    }
}

/// A candidate for a word, or for its end.
struct Candidate: Hashable {
    let text: String
    var help = ""
}
