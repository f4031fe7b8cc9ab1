import Glibc

/// Decides which of several instances of a job runs it.
///
/// A job asks for the lease when one of its times has come, renews it while runs have not ended, and releases it then.
/// While another instance holds it, the job asks again every third of ``timeToLive``.
///
/// The lease keeps two instances from running a job at the same time as long as clocks go equally fast and nobody is
/// stopped for long. Against the rest there are fencing numbers: a holder that was stopped for longer than the time to
/// live, and continues, finds the lease and the ``JobStore``'s record changed; see ``JobRun/number``.
///
/// A job never cancels the task of a call.
public protocol JobLease: AnyObject, Sendable {
    /// How long a grant lasts after the request that brought or renewed it was sent, unless it is renewed. A holder
    /// stops a tenth of it earlier.
    var timeToLive: Duration { get }

    /// Asks for a job's lease.
    ///
    /// - Returns: the grant; nil when somebody else holds the lease. No other grant is given until the time to live has
    ///   passed without a renewal, as measured by one clock that is not set and that goes on while the machine is
    ///   suspended.
    /// - Throws: any error, whose description is reported: it is unknown who holds the lease.
    func acquire(_ job: String) async throws -> JobGrant?

    /// Makes a grant last longer.
    ///
    /// - Returns: false when somebody else has the lease.
    /// - Throws: any error: it is unknown whether it was renewed. The job tries again until the grant has run out.
    func renew(_ grant: JobGrant, of job: String) async throws -> Bool

    /// Gives a grant back. Nothing happens if somebody else has the lease. If it fails, the time to live ends it.
    func release(_ grant: JobGrant, of job: String) async

    /// Who has a job's lease, for people, such as `web-1/4242` for a host and a process, as far as the last
    /// ``acquire(_:)`` has told that was not granted. It must not block. By default nil: unknown.
    func holderName(of job: String) -> String?
}

extension JobLease {
    /// Nil: unknown.
    public func holderName(of job: String) -> String? { nil }
}

/// The right to run a job for a while.
public struct JobGrant: Sendable, Hashable {
    /// Higher than that of all grants of this job's lease before, and less than 2⁶³. A higher grant is given back, and
    /// the lease counts as unreachable.
    public let number: UInt64

    /// For leases of your own.
    public init(number: UInt64) {
        self.number = number
    }
}

extension JobGrant {
    /// This program as a holder of leases, for people.
    package static let holderName: String = {
        var name = [CChar](repeating: 0, count: 256)
        _ = gethostname(&name, name.count - 1)
        let host = name.prefix { $0 > 0x20 && $0 < 0x7F }.map { UInt8($0) }
        return "\(String(decoding: host, as: UTF8.self))/\(getpid())"
    }()
}
