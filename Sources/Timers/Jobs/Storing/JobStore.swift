/// Keeps the records of jobs.
///
/// All instances of a job (programs of which a ``JobLease`` chooses one) have one store in common: it tells the next
/// holder of the lease what the last one has done. Without a lease, a store is used by one program at a time.
///
/// A store keeps, for each name, the last record that it took. Reading and writing must not be lost in a cache: what
/// ``load(_:)`` returns is what the last successful ``save(_:of:)`` of all instances wrote. `FileJobStore` is one for
/// one machine.
///
/// A job that runs has one call under way at a time. One that does not return within 30 s counts as failed, and its task is
/// cancelled when the job would ask again, or ends; the job makes no other before it has returned. One-shots that are scheduled,
/// listed or cancelled ask beside it.
public protocol JobStore: AnyObject, Sendable {
    /// The record that was taken last; nil when there is none.
    ///
    /// - Throws: any error, whose description is reported; the job asks again. A record that is damaged is an error
    ///   once: the store sets it aside, and then has none. A record of a later version
    ///   (``JobRecordError/isOfLaterVersion``) stays, and is an error each time.
    func load(_ job: String) async throws -> JobRecord?

    /// Takes a record in place of the one before.
    ///
    /// - Returns: false when the record kept is not the one of the revision before (0 is that of none). It then stays.
    /// - Throws: any error, whose description is reported. It is then unknown whether the record was taken, and the job
    ///   loads it again.
    func save(_ record: JobRecord, of job: String) async throws -> Bool
}
