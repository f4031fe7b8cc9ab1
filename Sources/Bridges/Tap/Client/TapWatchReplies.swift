import Bus

/// Reads the tap's output for a watch, in either framing, up to the watch's end.
struct TapWatchReplies: Transducer {
    typealias Input = [UInt8]
    /// The news that came together.
    typealias Output = [Result<TapNews, TapClientError>]
    typealias InputFailure = TapClientError

    let path: String
    private var messages = MessageBuffer(limit: TapReplies.limit)
    /// Set once the tap has announced frames.
    private var frames: CompactReader?
    private var isOver = false

    init(path: String) {
        self.path = path
    }

    mutating func next<Downstream: Observer & ~Copyable>(
        _ bytes: [UInt8],
        to downstream: inout Downstream
    ) -> Demand where Downstream.Value == Output, Downstream.Failure == TapClientError {
        if frames == nil { bytes.withUnsafeBytes { messages.append($0) } } else { frames?.append(bytes) }
        var news: Output = []
        do throws(TapClientError) {
            while !isOver, try read(&news) {}
        } catch {
            isOver = true
            news.append(.failure(error))
        }
        guard !news.isEmpty else { return isOver ? .stop : downstream.demand }
        let demand = downstream.next(news)
        return isOver ? .stop : demand
    }

    /// Reads one message or frame. False when none has come.
    private mutating func read(_ news: inout Output) throws(TapClientError) -> Bool {
        guard frames == nil else { return try readFrame(&news) }
        if let message = messages.next() {
            try read(message, &news)
            return true
        }
        if messages.isTooLong { throw malformed("a reply has no end") }
        return false
    }

    private mutating func readFrame(_ news: inout Output) throws(TapClientError) -> Bool {
        let frame: CompactReader.Frame?
        do throws(CompactReader.Malformed) {
            frame = try frames?.next()
        } catch {
            throw malformed(error.reason)
        }
        switch frame {
        case .event(let event): news.append(.success(.event(event)))
        case .message(let message): try read(message, &news)
        case nil: return false
        }
        return true
    }

    private mutating func read(_ message: ArraySlice<UInt8>, _ news: inout Output) throws(TapClientError) {
        switch TapReply.read(message) {
        case .reply(let reply):
            isOver = !reply.continues
            try read(reply, &news)
        case .error(let name, let parameters): throw .refused(path: path, error: name, parameters: parameters)
        case .malformed(let reason): throw malformed(reason)
        }
    }

    private mutating func read(_ reply: TapReply, _ news: inout Output) throws(TapClientError) {
        let reading: TapNews.Reading
        do throws(JSONArguments.WrongType) {
            reading = try TapNews.read(reply.parameters)
        } catch {
            throw malformed("the member \"\(error.name)\" of a record is of the wrong type")
        }
        switch reading {
        case .news(let record): news.append(.success(record))
        case .began(let framing):
            news.append(.success(.began))
            guard let framing else { return }
            guard framing == TapFraming.compact.rawValue, frames == nil else {
                throw malformed("it turns to the framing \"\(framing.prefix(100))\"")
            }
            frames = CompactReader()
            frames?.append(messages.takeRest())
        case .end("closed"): throw .closed(path: path)
        case .end, .unknown: break
        }
    }

    private func malformed(_ reason: String) -> TapClientError { .malformedReply(path: path, reason: reason) }

    consuming func terminate<Downstream: Observer & ~Copyable>(
        _ termination: Termination<TapClientError>,
        to downstream: consuming Downstream
    ) where Downstream.Value == Output, Downstream.Failure == TapClientError {
        // Whatever ended the connection, the watch's output is incomplete.
        downstream.terminate(isOver ? termination : .failed(.disconnected(path: path)))
    }

    var demand: Demand { isOver ? .stop : .more }
}
