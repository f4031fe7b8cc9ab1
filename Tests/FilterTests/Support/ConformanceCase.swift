import Foundation
import Testing

@testable import Filter

/// One line of the suite's files.
struct ConformanceCase {
    enum Outcome {
        case passed
        case failed(String)
    }

    private enum Expected {
        case value([String: Any])
        case error
    }

    let title: String
    let expression: String
    private let bindings: [String: [String: Any]]
    private let options: CompileOptions
    private let expected: Expected

    struct Malformed: Error {
        let line: String
    }

    /// Every case of every file.
    static func all() throws -> [ConformanceCase] {
        let folder = try #require(Bundle.module.url(forResource: "Conformance", withExtension: nil))
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "jsonl" }.sorted { $0.path < $1.path }.flatMap { url in
            try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { try ConformanceCase(String($0)) }
        }
    }

    private init(_ line: String) throws {
        guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let file = object["file"] as? String, let section = object["section"] as? String,
            let name = object["name"] as? String, let expression = object["expr"] as? String
        else { throw Malformed(line: line) }
        title = "\(file)/\(section)/\(name)"
        self.expression = expression
        bindings = object["bindings"] as? [String: [String: Any]] ?? [:]
        options = CompileOptions(
            isChecked: object["disable_check"] as? Bool != true,
            requiresCondition: false,
            container: object["container"] as? String ?? ""
        )
        if let value = object["value"] as? [String: Any] {
            expected = .value(value)
        } else if object["error"] != nil {
            expected = .error
        } else {
            throw Malformed(line: line)
        }
    }

    func run() throws -> Outcome {
        let bound = try BoundVariables(bindings)
        let filter: CompiledFilter
        do throws(FilterError) {
            filter = try CompiledFilter(expression, schema: bound.schema, options: options)
        } catch {
            if case .error = expected { return .passed }
            return .failed("refused: \(error)")
        }
        switch (filter.program.value({ bound.record.value(of: $0, at: $1) }), expected) {
        case (.failure, .error): return .passed
        case (.failure(let error), .value(let value)): return .failed("expected \(value), failed: \(error)")
        case (.success(let value), .error): return .failed("expected an error, got \(value)")
        case (.success(let value), .value(let json)):
            return SuiteValue.equals(value, json) ? .passed : .failed("expected \(json), got \(value)")
        }
    }
}
