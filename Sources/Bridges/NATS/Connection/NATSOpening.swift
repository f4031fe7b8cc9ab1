import Bus
import CNATS
import Glibc

/// Makes a connection. It blocks until a server has answered or none is left to try.
struct NATSOpening {
    let options: NATSOptions
    /// The context that libnats hands back with the events of the connection.
    let ticket: NATSTicket

    func open() throws(NATSError) -> NATSHandle {
        if let flaw = options.flaw { throw error(.invalid(flaw)) }
        if let failure = NATSLibrary.loadFailure { throw error(.noLibrary(failure)) }
        try check(NATSLibrary.opening)
        var settings: OpaquePointer?
        try check(natsOptions_Create(&settings))
        // Connecting copies them.
        defer { natsOptions_Destroy(settings) }
        try setServers(of: settings)
        try setAuthentication(of: settings)
        try setTimes(of: settings)
        try setCallbacks(of: settings)
        var connection: OpaquePointer?
        let status = natsConnection_Connect(&connection, settings)
        guard status == NATS_OK, let connection else { throw error(reason(ofConnecting: status)) }
        return NATSHandle(connection)
    }

    private func setServers(of settings: OpaquePointer?) throws(NATSError) {
        let copies = options.servers.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var pointers = copies.map { UnsafePointer($0) }
        try check(natsOptions_SetServers(settings, &pointers, CInt(clamping: pointers.count)))
        if let name = options.name { try check(natsOptions_SetName(settings, name)) }
        if !options.hearsItself { try check(natsOptions_SetNoEcho(settings, true)) }
        guard options.usesTLS else { return }
        try check(natsOptions_SetSecure(settings, true))
        if let file = options.certificateAuthority {
            try check(natsOptions_LoadCATrustedCertificates(settings, file))
        }
    }

    private func setAuthentication(of settings: OpaquePointer?) throws(NATSError) {
        switch options.authentication {
        case .none: break
        case .user(let name, let password): try check(natsOptions_SetUserInfo(settings, name, password))
        case .token(let token): try check(natsOptions_SetToken(settings, token))
        case .credentials(let file):
            // libnats would say that a function of its own failed.
            guard access(file, R_OK) == 0 else {
                throw error(.unauthorized("the credentials file \(file): \(SystemError.numbered(errno))"))
            }
            try check(natsOptions_SetUserCredentialsFromFiles(settings, file, nil))
        }
    }

    private func setTimes(of settings: OpaquePointer?) throws(NATSError) {
        try check(natsOptions_SetTimeout(settings, options.connectTimeout.natsMilliseconds))
        try check(natsOptions_SetPingInterval(settings, options.pingInterval.natsMilliseconds))
        try check(natsOptions_SetReconnectWait(settings, options.reconnectWait.natsMilliseconds))
        try check(
            natsOptions_SetMaxReconnect(
                settings,
                options.reconnectAttempts.map { CInt(clamping: max(0, $0)) } ?? -1
            )
        )
        try check(natsOptions_SetReconnectBufSize(settings, CInt(clamping: max(1, options.reconnectBuffer))))
        try check(natsOptions_SetWriteDeadline(settings, options.writeDeadline.natsMilliseconds))
    }

    private func setCallbacks(of settings: OpaquePointer?) throws(NATSError) {
        // One thread for all subscriptions of the process. It is never blocked: messages go into bounded queues.
        try check(natsOptions_UseGlobalMessageDelivery(settings, true))
        let context = ticket.pointer
        try check(natsOptions_SetClosedCB(settings, { NATSLink.closed($0, $1) }, context))
        try check(natsOptions_SetDisconnectedCB(settings, { NATSLink.disconnected($0, $1) }, context))
        try check(natsOptions_SetReconnectedCB(settings, { NATSLink.reconnected($0, $1) }, context))
        try check(natsOptions_SetErrorHandler(settings, { NATSLink.failed($0, $1, $2, $3) }, context))
    }

    private func check(_ status: natsStatus) throws(NATSError) {
        if status != NATS_OK { throw error(NATSError.Reason(status)) }
    }

    private func error(_ reason: NATSError.Reason) -> NATSError {
        NATSError(reason, "connect", server: options.place)
    }

    private func reason(ofConnecting status: natsStatus) -> NATSError.Reason {
        let text = NATSStatus.lastText(for: status)
        // No answer while connecting is no answer to a request.
        if status == NATS_TIMEOUT { return .unreachable(text) }
        if Self.endings.contains(where: { $0.status == status && text.hasSuffix($0.text) }) {
            return .disconnected("the server ended it before it was ready: \(text)")
        }
        if status == NATS_ERR, Self.refusals.contains(where: { text.hasSuffix($0) }) { return .unreachable(text) }
        return NATSError.Reason(status)
    }

    /// What libnats 3.4 says when the server ends the connection after its greeting, or during the TLS handshake.
    private static let endings: [(status: natsStatus, text: String)] = [
        (NATS_PROTOCOL_ERROR, "Expected 'PONG', got ''"),
        (NATS_SSL_ERROR, "SSL handshake error: unexpected eof while reading"),
        (NATS_SSL_ERROR, "SSL handshake error: (null)"),
    ]

    /// What a server says that may take the next connection.
    private static let refusals = [
        "Server Shutdown", "Authentication Timeout", "maximum connections exceeded",
        "maximum account active connections exceeded",
    ]
}
