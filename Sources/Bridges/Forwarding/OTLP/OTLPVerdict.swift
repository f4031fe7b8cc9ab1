/// What an answer means for the records of a request.
enum OTLPVerdict {
    /// The receiver has them, and says this of them.
    case taken(OTLPResponse)
    /// The receiver has them; its answer cannot be read.
    case takenUnread(String)
    /// Together they are never taken, because of some of them or because they are too large. Others may be.
    case refused(String, isTooLarge: Bool)
    /// Another attempt may succeed, after so long at the earliest.
    case retry(ForwardError, after: Duration)
    /// No request is taken.
    case failed(ForwardError)

    /// The longest wait that a receiver can ask for.
    private static let maxWait = Duration.seconds(300)

    /// - Parameter cleaned: what may be shown of a receiver's words.
    init(
        _ result: Result<HTTPClient.Answer, HTTPClient.Failure>,
        from url: String,
        _ cleaned: (String) -> String
    ) {
        switch result {
        case .success(let answer): self.init(answer, from: url, cleaned)
        case .failure(let failure):
            let text = "cannot send to \(url): \(failure.description)"
            switch failure.code {
            // libcurl's number for a malformed address.
            case 3: self = .failed(ForwardError(text, .end))
            // What answers does not speak HTTP; the receiver's certificate; the client's and the authorities' files, which are perhaps
            // being written.
            case 1, 58, 60, 77: self = .failed(ForwardError(text, .waitIfKnown))
            // No answer in time. More attempts would take minutes before anyone hears of it.
            case 28: self = .failed(ForwardError(text, .wait))
            default: self = .retry(ForwardError(text, .wait), after: .zero)
            }
        }
    }

    private init(_ answer: HTTPClient.Answer, from url: String, _ cleaned: (String) -> String) {
        let text = "\(url) answers \(answer.status)\(Self.words(answer.body, cleaned))"
        switch answer.status {
        case 200..<300:
            do throws(OTLPResponseError) {
                self = .taken(try OTLPResponse(answer.body, cleaned))
            } catch {
                self = .takenUnread("\(url): \(error)")
            }
        case 400, 413, 422: self = .refused(text, isTooLarge: answer.status == 413)
        // OTLP retries 429, 502, 503 and 504 alone, and drops the records of others. What a server cannot do now, or a proxy in front of
        // it, another attempt may find done, and nothing is dropped here.
        case 408, 425, 429, 500, 502...504, 506...599:
            // Over when a record is stored, and not with the next connection.
            let failure = ForwardError(text, .wait, isOutage: false)
            self = .retry(failure, after: min(answer.retryAfter, Self.maxWait))
        // A receiver that took requests before is being changed, or has other credentials, which the file of headers may have soon.
        case 401, 403, 404, 407: self = .failed(ForwardError(text, .waitIfKnown, isOutage: false))
        case 300..<400: self = .failed(ForwardError(text + "; redirects are not followed", .end))
        default: self = .failed(ForwardError(text, .end))
        }
    }

    /// The receiver's words, if they are for people: one line of at most 200 characters.
    private static func words(_ body: [UInt8], _ cleaned: (String) -> String) -> String {
        // Cut afterwards, because a part of a secret would not be found.
        guard let line = cleaned(String(decoding: body, as: UTF8.self)).split(separator: "\n").first?.prefix(200) else {
            return ""
        }
        let isPlain = line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{FFFD}" }
        return isPlain ? ": \(line)" : ""
    }
}
