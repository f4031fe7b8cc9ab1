import Testing

/// Starts Swift Testing, and nothing else.
///
/// The runner that the package manager generates without this file also looks for XCTest's tests, of which there are none. It
/// finds them in an index of the sources, and making that index takes a part of the build. The package manager knows this file
/// by its name. The call is the one that the generated runner makes.
@main
enum Runner {
    static func main() async {
        // The package manager runs each library's tests in a process of their own, and asks XCTest's for a list first.
        if CommandLine.arguments.contains("--dump-tests-json") {
            return print(#"{"name": "All tests", "tests": [{"name": "XCTest", "tests": []}]}"#)
        }
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
