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

    /// Fails when there is no memory.
    init?(_ job: HTTPLoop.Job, _ settings: HTTPClient.Settings, _ gzip: Gzip) {
        self.job = job
        guard let body = gzip.compressed(job.body) else { return nil }
        guard let handle = ccurl_easy_init() else {
            body.deallocate()
            return nil
        }
        self.handle = handle
        self.body = body
        error = .allocate(capacity: Self.errorSize)
        error.initialize(repeating: 0, count: Self.errorSize)
        guard set(settings) else { return nil }
    }

    deinit {
        ccurl_easy_cleanup(handle)
        ccurl_free(headers)
        body.deallocate()
        error.deallocate()
    }

    private func set(_ settings: HTTPClient.Settings) -> Bool {
        // Without this header libcurl would ask for permission to send a larger body, and wait for it.
        for text in settings.headers + job.headers + ["Content-Encoding: gzip", "Expect:"] {
            guard let list = ccurl_append(headers, text) else { return false }
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
            set(CURLOPT_TIMEOUT_MS, Int(settings.timeout / .milliseconds(1))),
        ]
        if let authority = settings.authority { codes.append(set(CURLOPT_CAINFO, authority)) }
        if let certificate = settings.certificate { codes.append(set(CURLOPT_SSLCERT, certificate)) }
        if let key = settings.key { codes.append(set(CURLOPT_SSLKEY, key)) }
        if let proxy = settings.proxy { codes.append(set(CURLOPT_PROXY, proxy)) }
        return codes.allSatisfy { $0 == 0 }
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
            let known = ccurl_easy_strerror(code).map { String(cString: $0) } ?? "error \(code)"
            return .failure(HTTPClient.Failure(description: text.isEmpty ? known : text, code: code))
        }
        let seconds = ccurl_get_offset(handle, Int32(CURLINFO_RETRY_AFTER.rawValue))
        return .success(HTTPClient.Answer(status: status, retryAfter: .seconds(max(0, seconds)), body: answer))
    }
}
