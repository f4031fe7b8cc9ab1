/// A handler of requests throws it to say why a request cannot be answered. The requester catches a ``NATSError`` with
/// ``NATSError/Reason-swift.enum/service(code:text:)``.
public struct NATSServiceError: Error, Sendable, Hashable {
    /// As in HTTP: 400 for a request that makes no sense, 404 for something that is not there, 500 for a failure of the service.
    public let code: Int
    /// The description, of which the caller gets the first 1,024 bytes.
    public let text: String

    /// Throwing it from a service answers the request with this error.
    public init(code: Int, _ text: String) {
        self.code = code
        self.text = text
    }
}
