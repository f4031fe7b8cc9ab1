import CCurl

/// One request on its way. Used on its client's thread only.
final class HTTPTransfer {
    private static let errorSize = 256

    let job: HTTPLoop.Job
    let handle: OpaquePointer
    /// Compressed. libcurl reads it from here while the request is on its way.
    let body: UnsafeMutableRawBufferPointer
    private let error: UnsafeMutablePointer<CChar>
    private var headers: OpaquePointer?
    private var answer: [UInt8] = []

    /// Fails without memory, or where libcurl does not take a setting.
    init(_ job: HTTPLoop.Job, _ settings: HTTPClient.Settings, _ gzip: Gzip) throws(HTTPClient.Failure) {
        self.job = job
        guard let body = gzip.compressed(job.body) else { throw .noMemory }
        guard let handle = ccurl_easy_init() else {
            body.deallocate()
            throw .noMemory
        }
        self.handle = handle
        self.body = body
        error = .allocate(capacity: Self.errorSize)
        error.initialize(repeating: 0, count: Self.errorSize)
        try set(settings)
    }

    deinit {
        ccurl_easy_cleanup(handle)
        ccurl_free(headers)
        body.deallocate()
        error.deallocate()
    }

    private func set(_ settings: HTTPClient.Settings) throws(HTTPClient.Failure) {
        // Without this header libcurl would ask for permission to send a larger body, and wait for it.
        for text in settings.headers + job.headers + ["Content-Encoding: gzip", "Expect:"] {
            guard let list = ccurl_append(headers, text) else { throw .noMemory }
            headers = list
        }
        var codes = [
            set(CURLOPT_URL, settings.url),
            ccurl_set_pointer(handle, Int32(CURLOPT_HTTPHEADER.rawValue), UnsafeRawPointer(headers)),
            ccurl_set_pointer(handle, Int32(CURLOPT_ERRORBUFFER.rawValue), error),
            set(CURLOPT_POST, 1),
            ccurl_set_pointer(handle, Int32(CURLOPT_POSTFIELDS.rawValue), body.baseAddress),
            ccurl_set_offset(handle, Int32(CURLOPT_POSTFIELDSIZE_LARGE.rawValue), Int64(body.count)),
            ccurl_set_write(handle, Self.write, Unmanaged.passUnretained(self).toOpaque()),
            set(CURLOPT_FOLLOWLOCATION, 0),
            set(CURLOPT_NOSIGNAL, 1),
            // Bits: http and https.
            set(CURLOPT_PROTOCOLS, 3),
            // Requests under way at once have connections of their own, so that one that hangs delays no other.
            set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1.rawValue)),
            set(CURLOPT_TCP_KEEPALIVE, 1),
            set(CURLOPT_CONNECTTIMEOUT_MS, 10_000),
            // A slow line may need long for a large body: at 16 KiB a second.
            set(CURLOPT_TIMEOUT_MS, Int(settings.timeout / .milliseconds(1)) + body.count / 16),
        ]
        if let authority = settings.authority { codes.append(set(CURLOPT_CAINFO, authority)) }
        if let certificate = settings.certificate { codes.append(set(CURLOPT_SSLCERT, certificate)) }
        if let key = settings.key { codes.append(set(CURLOPT_SSLKEY, key)) }
        if let proxy = settings.proxy { codes.append(set(CURLOPT_PROXY, proxy)) }
        if let code = codes.first(where: { $0 != 0 }) { throw HTTPClient.Failure(code) }
    }

    private func set(_ option: CCurlNumber, _ value: Int) -> Int32 {
        ccurl_set_long(handle, Int32(option.rawValue), value)
    }

    /// libcurl copies texts.
    private func set(_ option: CCurlNumber, _ value: String) -> Int32 {
        value.withCString { ccurl_set_pointer(handle, Int32(option.rawValue), $0) }
    }

    /// Reads the answer's body, and ends the request where it is too long.
    private static let write: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int =
        {
            bytes,
            size,
            count,
            context in
            guard let bytes, let context else { return 0 }
            // The transfer is alive as long as its handle.
            let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
            let taken = min(size * count, HTTPClient.maxAnswer - transfer.answer.count)
            transfer.answer += UnsafeRawBufferPointer(start: bytes, count: taken)
            return taken
        }

    /// - Parameter code: what libcurl says of the end.
    func result(_ code: Int32) -> Result<HTTPClient.Answer, HTTPClient.Failure> {
        let status = ccurl_get_long(handle, Int32(CURLINFO_RESPONSE_CODE.rawValue))
        let isCut = code == Int32(CURLE_WRITE_ERROR.rawValue) && answer.count == HTTPClient.maxAnswer
        guard code == 0 || isCut, status > 0 else {
            let text = String(cString: error)
            let isKept = !text.isEmpty && !Self.mayQuoteProxy(text, code)
            return .failure(isKept ? HTTPClient.Failure(description: text, code: code) : HTTPClient.Failure(code))
        }
        let seconds = ccurl_get_offset(handle, Int32(CURLINFO_RETRY_AFTER.rawValue))
        return .success(HTTPClient.Answer(status: status, retryAfter: .seconds(max(0, seconds)), body: answer))
    }

    /// Whether libcurl's words may hold a proxy's address with its password. It repeats the address of a proxy that it does not understand
    /// or support, and may cut it off before the "@".
    private static func mayQuoteProxy(_ text: String, _ code: Int32) -> Bool {
        code == Int32(CURLE_COULDNT_RESOLVE_PROXY.rawValue) || text.hasPrefix("Unsupported proxy") || text.contains("@")
    }
}
