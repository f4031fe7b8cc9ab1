/// Functions and macros of CEL and its extensions that are not built yet, so that using one is answered by "not
/// supported" instead of a suggestion to write something else.
enum UnsupportedNames {
    static let macros: Set<String> = [
        "all", "exists", "exists_one", "existsOne", "map", "filter", "transformList", "transformMap",
        "transformMapEntry",
    ]

    static let members: Set<String> = [
        "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getFullYear", "getHours", "getMilliseconds",
        "getMinutes",
        "getMonth", "getSeconds", "charAt", "format", "indexOf", "join", "lastIndexOf", "lowerAscii", "replace",
        "reverse", "split",
        "substring", "trim", "upperAscii", "hasValue", "value", "or", "orValue", "optMap", "optFlatMap", "family",
        "isUnspecified",
        "isLoopback", "isGlobalUnicast", "isLinkLocalMulticast", "isLinkLocalUnicast", "containsIP", "containsCIDR",
        "ip",
        "prefixLength", "masked", "isCanonical", "flatten", "slice", "sort", "sortBy", "distinct", "first", "last",
    ]

    static let globals: Set<String> = ["ip", "cidr", "isIP", "isCIDR", "now", "age", "fields"]

    static let namespaces: Set<String> = [
        "cel", "math", "strings", "base64", "optional", "sets", "lists", "regex", "ip", "cidr", "net",
    ]

    static let types: Set<String> = ["map", "optional_type", "net"]
}
