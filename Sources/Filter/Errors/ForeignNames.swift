/// Names of other languages for functions and words of this one, with their replacements.
enum ForeignNames {
    static let literals = [
        "True": "true", "TRUE": "true", "False": "false", "FALSE": "false", "nil": "null", "NULL": "null",
        "Null": "null", "None": "null", "undefined": "null",
    ]

    /// Words for times, as journalctl takes them.
    static let times: Set = ["yesterday", "today", "tomorrow"]

    /// Functions that only have another name.
    static let functions = [
        "includes": "contains", "include": "contains", "contain": "contains", "has": "contains", "find": "contains",
        "length": "size", "len": "size", "count": "size",
        "match": "matches", "test": "matches", "search": "matches", "regex": "matches", "regexp": "matches",
        "regexp_like": "matches",
        "hasPrefix": "startsWith", "starts_with": "startsWith", "beginsWith": "startsWith", "begins": "startsWith",
        "prefix": "startsWith",
        "hasSuffix": "endsWith", "ends_with": "endsWith", "ends": "endsWith", "suffix": "endsWith",
        "exist": "has", "exists": "has", "defined": "has", "isset": "has", "present": "has", "isDefined": "has",
        "float": "double", "tonumber": "int", "toNumber": "int", "parseInt": "int", "toInt": "int", "to_int": "int",
        "number": "int", "integer": "int", "parseFloat": "double", "toFloat": "double",
        "str": "string", "text": "string", "toString": "string", "tostring": "string", "to_string": "string",
        "lower": "lowerAscii", "toLower": "lowerAscii", "to_lower": "lowerAscii", "tolower": "lowerAscii",
        "toLowerCase": "lowerAscii", "lowercase": "lowerAscii", "lowercased": "lowerAscii",
        "downcase": "lowerAscii", "ascii_downcase": "lowerAscii", "lcase": "lowerAscii",
        "upper": "upperAscii", "toUpper": "upperAscii", "to_upper": "upperAscii", "toupper": "upperAscii",
        "toUpperCase": "upperAscii", "uppercase": "upperAscii", "uppercased": "upperAscii",
        "upcase": "upperAscii", "ascii_upcase": "upperAscii", "ucase": "upperAscii",
        "strip": "trim", "trimmed": "trim", "ltrim": "trim", "rtrim": "trim",
        "slice": "substring", "substr": "substring", "mid": "substring",
        "position": "indexOf", "index": "indexOf", "gsub": "replace", "sub": "replace", "replaceAll": "replace",
        "any": "exists", "some": "exists", "every": "all", "where": "filter",
        "year": "getFullYear", "getYear": "getFullYear", "month": "getMonth", "day": "getDate", "getDay": "getDate",
        "dayOfMonth": "getDate", "weekday": "getDayOfWeek", "getWeekday": "getDayOfWeek", "dayOfWeek": "getDayOfWeek",
        "dayOfYear": "getDayOfYear", "hour": "getHours", "hours": "getHours", "minute": "getMinutes",
        "minutes": "getMinutes", "second": "getSeconds", "seconds": "getSeconds", "milliseconds": "getMilliseconds",
        "date": "getDate", "datetime": "timestamp", "fromdate": "timestamp", "fromdateiso8601": "timestamp",
        "strptime": "timestamp", "interval": "duration",
        "min": "math.least", "max": "math.greatest", "abs": "math.abs", "round": "math.round",
        "floor": "math.floor", "ceil": "math.ceil", "sqrt": "math.sqrt", "math.min": "math.least",
        "math.max": "math.greatest", "isnan": "math.isNaN", "isNaN": "math.isNaN",
        "inet": "ip", "ipaddr": "ip", "cidrmatch": "cidr", "subnet": "cidr",
    ]

    /// Functions that need more than another name.
    static let advice = [
        "select": "write the condition by itself",
        "isNull": "write == null, or !has(NAME)", "isnull": "write == null, or !has(NAME)",
        "is_null": "write == null, or !has(NAME)", "isEmpty": "write == \"\", or !has(NAME)",
        "is_empty": "write == \"\", or !has(NAME)", "empty": "write == \"\", or !has(NAME)",
        "isNotNull": "write has(NAME)", "isnotnull": "write has(NAME)", "coalesce": "write has(x) ? x : y",
        "ifnull": "write has(x) ? x : y", "nvl": "write has(x) ? x : y", "if": "write condition ? then : otherwise",
        "iif": "write condition ? then : otherwise", "concat": "join texts with +", "like": "write =~, or contains()",
        "equals": "write == to compare", "eq": "write == to compare", "equalsIgnoreCase": "write =~ \"(?i)^…$\"",
        "containsIgnoreCase": "write =~ \"(?i)…\"", "icontains": "write =~ \"(?i)…\"",
    ]
}
