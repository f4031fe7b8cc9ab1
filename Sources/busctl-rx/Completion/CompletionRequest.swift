import Glibc
import JournalBridge

/// The word that is being typed, and its context.
struct CompletionRequest {
    enum Subject: Equatable {
        case command
        /// An option of a command.
        case option(command: String)
        /// The value of an option.
        case value(option: String)
        case operand
        /// The tap of a program.
        case tap
    }

    let subject: Subject
    /// The word that is being typed.
    let word: String
    /// How many characters of the word precede the part being typed: those of `--unit=` in `--unit=ngi`.
    let head: Int
    /// All values of the option whose value is typed, where its declaration lists them.
    let choices: [String]
    /// The journal that was named before.
    let source: JournalSource
    /// The fields of what is read.
    let fields: FieldCandidates
    /// Whether units are those of the user's own service manager.
    let isOfUserAlone: Bool

    /// `nil` where nothing is known about the word being typed.
    ///
    /// - Parameter words: the words after the program's name. The last one is being typed.
    init?(_ words: [String]) {
        word = words.last ?? ""
        guard let command = words.dropLast().first, command != "help" || words.count > 2 else {
            (subject, head, choices, source, isOfUserAlone) = (.command, 0, [], .system, false)
            fields = FieldCandidates([], hasJournal: false)
            return
        }
        guard let options = Arguments.command(named: command)?.table else { return nil }
        var earlier = Array(words.dropFirst().dropLast())
        if let option = Self.waiting(earlier, options), option.isOptional ? Self.isNoOption(word) : true {
            (subject, head) = (.value(option: option.name), 0)
            earlier.removeLast()
        } else if earlier.contains("--") {
            (subject, head) = (Self.operand(of: command), 0)
        } else {
            (subject, head) = Self.subject(of: word, command, options)
        }
        if case .value(let option) = subject {
            choices = options.declaration(of: option)?.choices ?? []
        } else {
            choices = []
        }
        let arguments = (try? ArgumentNormalizer.normalize(earlier, options)) ?? []
        let named = Self.source(arguments)
        source = named ?? .system
        // Nothing else needs them.
        fields = FieldCandidates(
            subject == .value(option: "--by") ? Self.sources(arguments) : [],
            hasJournal: named != nil
        )
        isOfUserAlone = arguments.contains { $0.option == "--user" } && !arguments.contains { $0.option == "--system" }
    }

    /// The option at the end, whose value comes next.
    private static func waiting(_ words: [String], _ options: OptionTable) -> (name: String, isOptional: Bool)? {
        guard let last = words.last else { return nil }
        if case .optionalValue(_, let isMeant) = options.kind(of: last) {
            // Some take only a value that is joined to them.
            return isMeant("1") ? (last, true) : nil
        }
        do throws(UsageError) {
            _ = try ArgumentNormalizer.normalize(words, options)
        } catch {
            if case .missingValue(let option) = error { return (option, false) }
        }
        return nil
    }

    /// `-1` is a value, where one may be left out, and `-u` is not.
    private static func isNoOption(_ word: String) -> Bool {
        !word.hasPrefix("-") || word.dropFirst().first?.isNumber == true
    }

    /// The kind of a word that is not the value of an option before it: an option, with its value attached or not, or
    /// an operand.
    private static func subject(of word: String, _ command: String, _ options: OptionTable) -> (Subject, head: Int) {
        guard word.hasPrefix("-") else { return (operand(of: command), 0) }
        guard !word.hasPrefix("--") else {
            guard let equals = word.firstIndex(of: "=") else { return (.option(command: command), 0) }
            let name = String(word[..<equals])
            return (.value(option: name), name.count + 1)
        }
        let letters = Array(word)
        for index in letters.indices.dropFirst() where index + 1 < letters.count {
            let name = "-\(letters[index])"
            guard let kind = options.kind(of: name), kind.takesValue else { continue }
            return (.value(option: name), letters[index + 1] == "=" ? index + 2 : index + 1)
        }
        return (.option(command: command), 0)
    }

    private static func operand(of command: String) -> Subject {
        ["inspect", "post"].contains(command) ? .tap : .operand
    }

    /// The other sources. Those that are wrong, or cannot be known before the command runs, are left out.
    private static func sources(_ arguments: [Word]) -> [SourceArgument] {
        arguments.compactMap { argument in
            switch argument.option {
            case "--from": try? SourceArgument(argument: argument.value)
            case "--label": try? SourceArgument(labelled: argument.value)
            default: nil
            }
        }
    }

    private static func source(_ arguments: [Word]) -> JournalSource? {
        func values(_ names: String...) -> [String] {
            arguments.filter { $0.option.map(names.contains) ?? false }.map { HomePath.expanded($0.value) }
        }
        let kinds: [(JournalKinds, name: String)] = [(.system, "--system"), (.user, "--user")]
        let choice = JournalChoice(
            files: values("-i", "--file"),
            directory: values("-D", "--directory").first,
            root: values("--root").first,
            namespace: values("--namespace").first,
            isMerged: arguments.contains { ["-m", "--merge"].contains($0.option) },
            kinds: kinds.filter { kind in arguments.contains { $0.option == kind.name } }.reduce(into: []) {
                $0.formUnion($1.0)
            }
        )
        return choice.source
    }
}
