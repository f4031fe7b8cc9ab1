import Filter
import JournalWriter
import TestSupport

/// A sequence of calls to a reader.
enum WalkStep: CustomStringConvertible {
    case seekHead, seekTail, next, previous
    case seekRealtime(UInt64)
    case seekCursor(String)
    case testCursor(String)

    var isSearch: Bool {
        switch self {
        case .next, .previous, .testCursor: false
        case .seekHead, .seekTail, .seekRealtime, .seekCursor: true
        }
    }

    var description: String {
        switch self {
        case .seekHead: "seekHead"
        case .seekTail: "seekTail"
        case .next: "next"
        case .previous: "previous"
        case .seekRealtime(let time): "seek(realtime: \(time))"
        case .seekCursor(let cursor): "seek(cursor: \(cursor))"
        case .testCursor(let cursor): "test(cursor: \(cursor))"
        }
    }
}

/// Steps of a reader that was just opened.
struct JournalPath {
    var match = Match.everything
    var steps: [WalkStep]
}

/// Generates sequences of steps through journals.
struct WalkGenerator {
    private var random: SeededGenerator
    private let journals: GeneratedJournals
    private let entries: [(entry: JournalFileEntry, sequenceID: ID128)]

    init(_ journals: GeneratedJournals, seed: UInt64) {
        self.journals = journals
        random = SeededGenerator(~seed)
        entries = journals.files.flatMap { file in file.entries.map { ($0, file.form.sequenceID) } }
    }

    /// Complete passes in both directions. If the result of a seek is certain, also changes of direction, seeks and
    /// matches.
    mutating func paths() -> [JournalPath] {
        var paths = whole(.everything)
        guard journals.isOrdered else { return paths }
        paths += (0..<3).map { _ in JournalPath(steps: wandering(60)) }
        paths.append(JournalPath(steps: (0..<12).flatMap { _ in visit() }))
        // The newest entry of a file that is being written may be returned although the index does not list it.
        guard !journals.files.contains(where: { $0.form.state == .online }) else { return paths }
        for _ in 0..<4 {
            let match = match()
            paths += whole(match)
            paths.append(JournalPath(match: match, steps: certain(wandering(30))))
            paths.append(JournalPath(match: match, steps: certain((0..<4).flatMap { _ in visit() })))
        }
        return paths
    }

    /// Two steps more than can lead to an entry.
    private func whole(_ match: Match) -> [JournalPath] {
        let count = journals.entryCount + 2
        return [
            JournalPath(match: match, steps: [.seekHead] + Array(repeating: .next, count: count)),
            JournalPath(match: match, steps: [.seekTail] + Array(repeating: .previous, count: count)),
        ]
    }

    private mutating func wandering(_ count: Int) -> [WalkStep] {
        var steps = seek()
        while steps.count < count {
            let step = random.chance(50) ? WalkStep.next : .previous
            steps += Array(repeating: step, count: random.pick([1, 1, 2, 3, 10]))
            if random.chance(10) { steps += seek() }
        }
        return steps
    }

    /// Seeks a place, checks whether it is there, and goes a few steps further.
    private mutating func visit() -> [WalkStep] {
        let step = random.chance(50) ? WalkStep.next : .previous
        return seek() + [step] + (random.chance(50) ? test(cursor()) : []) + [step, step]
    }

    private mutating func seek() -> [WalkStep] {
        switch random.number(0..<10) {
        case 0: return [.seekHead]
        case 1: return [.seekTail]
        case 2..<5: return [.seekRealtime(realtime())]
        default:
            let cursor = cursor()
            return [.seekCursor(cursor), random.chance(50) ? .next : .previous] + test(cursor)
        }
    }

    /// The steps whose result with a match is certain. libsystemd looks for a place among the entries of each term. It
    /// finds none if it searches by the time since a boot, or against the direction of a seek to an end. So files of
    /// several sequences are not read in the other direction, and cursors seek by numbers or realtime.
    private mutating func certain(_ steps: [WalkStep]) -> [WalkStep] {
        let sequences = Set(journals.files.map(\.form.sequenceID))
        var direction: WalkStep?
        return steps.map { step in
            switch step {
            case .seekHead: direction = .next
            case .seekTail: direction = .previous
            case .seekRealtime: direction = nil
            case .seekCursor(let cursor):
                direction = nil
                if !Self.leadsByNumberOrTime(cursor, sequences) { return .seekRealtime(realtime()) }
            case .next, .previous:
                let chosen = direction ?? step
                direction = sequences.count == 1 ? nil : chosen
                return chosen
            case .testCursor: break
            }
            return step
        }
    }

    private static func leadsByNumberOrTime(_ cursor: String, _ sequences: Set<ID128>) -> Bool {
        let (parts, keys) = parts(of: cursor)
        guard isSought(cursor), keys.isSuperset(of: ["b=", "m="]) else { return isSought(cursor) }
        guard sequences.count == 1, let sequence = sequences.first else { return false }
        return keys.contains("i=") && parts.contains("s=\(sequence)")
    }

    /// Whether a cursor made of an entry has enough parts left for a seek.
    private static func isSought(_ cursor: String) -> Bool {
        let keys = parts(of: cursor).keys
        let isWhole = keys.isSuperset(of: ["s=", "i="]) || keys.isSuperset(of: ["b=", "m="]) || keys.contains("t=")
        return isWhole && !oddCursors.contains(cursor)
    }

    private static func parts(of cursor: String) -> (parts: [Substring], keys: Set<Substring>) {
        let parts = cursor.split(separator: ";")
        return (parts, Set(parts.map { $0.prefix(2) }))
    }

    /// Nothing is checked for an invalid cursor, or for one with too few parts for a seek.
    private func test(_ cursor: String) -> [WalkStep] { Self.isSought(cursor) ? [.testCursor(cursor)] : [] }

    private mutating func realtime() -> UInt64 {
        guard let entry = entries.randomElement(using: &random)?.entry, random.chance(90) else {
            return random.pick([0, 1, .max, 1_700_000_000_000_100])
        }
        return entry.realtime &+ random.pick([0, 0, 1, .max])
    }

    /// The cursor of an entry, of a similar entry, of no entry, or text that is no cursor at all.
    private mutating func cursor() -> String {
        guard var (entry, sequenceID) = entries.randomElement(using: &random), random.chance(90) else {
            return random.pick(Self.oddCursors)
        }
        if random.chance(50) { return entry.cursor(in: sequenceID) }
        if random.chance(40) { sequenceID = ID128(using: &random) }
        if random.chance(20) { entry.boot = ID128(using: &random) }
        if random.chance(20) { entry.boot = random.pick(entries).entry.boot }
        if random.chance(30) { entry.sequence &+= random.pick([1, .max]) }
        if random.chance(30) { entry.monotonic &+= random.pick([1, .max, 1000]) }
        if random.chance(30) { entry.realtime &+= random.pick([1, .max, 1000]) }
        var parts = entry.cursor(in: sequenceID).split(separator: ";")
        if random.chance(40) { parts.removeAll { _ in random.chance(25) } }
        if random.chance(10) { parts.shuffle(using: &random) }
        return parts.joined(separator: ";")
    }

    /// Some of these are cursors anyway. libsystemd also accepts what `sscanf` reads as a number, as in `t= 12`. That
    /// is not tested.
    private static let oddCursors = [
        "", "x", "nonsense", "s=1;i=1", "i=1", "t=", "t=zz", ";t=1", "t=1;", "t=1;;m=1", "T=1", "t=1;q=2", "t=1;qq",
        "t=1;t=zz", "t=1;b=zz", "t=1;1=", "t==1", " t=1", "tt=1;t=1", "t=5f5e100", "t=ffffffffffffffff",
        "s=33333333333343338333333333333333;t=1", "s=33333333-3333-4333-8333-333333333333;i=1", "m=1;x=2",
        "i=1;x=2;t=1",
        "s=ABCDEF33333343338333333333333333;i=1",
    ]

    private mutating func match() -> Match {
        let (one, other) = (term(), term())
        guard one != other else { return one }
        switch random.number(0..<9) {
        case 0: return one
        case 1: return .any([one, other])
        case 2: return .all([one, other])
        case 3: return both()
        case 4: return .any([both(), one])
        case 5: return .all([.any([one, other]), bootTerm()])
        case 6: return .all([.any([one, other]), .any([bootTerm(), both()])])
        case 7: return .all([bootTerm(), .any([one, other])])
        default: return bootTerm()
        }
    }

    /// Two fields of one entry, so that something is found.
    private mutating func both() -> Match {
        let entry = entries.randomElement(using: &random)?.entry
        let terms = Set((0..<2).compactMap { _ in entry?.fields.randomElement(using: &random) })
        let sorted = terms.sorted { $0.lexicographicallyPrecedes($1) }.map { Self.term($0) }
        return sorted.count == 2 ? .all(sorted) : sorted.first ?? term()
    }

    private mutating func bootTerm() -> Match {
        guard let boot = entries.randomElement(using: &random)?.entry.boot else { return term() }
        return .term(field: "_BOOT_ID", value: Array("\(boot)".utf8))
    }

    private mutating func term() -> Match {
        let field = entries.randomElement(using: &random)?.entry.fields.randomElement(using: &random)
        guard let field, random.chance(90) else { return .term(field: "PRIORITY", value: random.pick([[], [0x37]])) }
        return Self.term(field)
    }

    private static func term(_ field: [UInt8]) -> Match {
        let name = field.prefix { $0 != UInt8(ascii: "=") }
        return .term(field: String(decoding: name, as: UTF8.self), value: Array(field[(name.count + 1)...]))
    }
}
