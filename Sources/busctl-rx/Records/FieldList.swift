import Records

/// Names of fields, separated by commas: the value of `--by` and of `--output-fields`.
struct FieldList: Equatable {
    let paths: [FieldPath]

    init(argument: String) throws {
        do throws(FieldPathError) {
            paths = try FieldPath.list(argument)
        } catch {
            throw BadValue(description: error.description)
        }
    }

    /// The value of `--by` of counts.
    static func groups(_ argument: String) throws -> FieldList {
        let list = try FieldList(argument: argument)
        guard list.paths.count <= 8 else { throw BadValue(description: "write at most eight names of fields") }
        for name in list.paths.map(\.text) where unique.contains(name) {
            throw BadValue(description: "\(name) is different in each entry; --every counts by time")
        }
        return list
    }

    /// What a journal tells of an entry beside its fields.
    private static let unique: Set = [
        "__CURSOR", "__REALTIME_TIMESTAMP", "__MONOTONIC_TIMESTAMP", "__SEQNUM", "__SEQNUM_ID",
    ]

    /// A value that is one name.
    static func one(_ argument: String) throws -> FieldPath {
        do throws(FieldPathError) {
            return try FieldPath(argument)
        } catch {
            throw BadValue(description: error.description)
        }
    }
}
