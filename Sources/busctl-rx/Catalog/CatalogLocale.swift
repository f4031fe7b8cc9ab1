import Glibc

/// The locale that the environment asks for, as far as explanations depend on it.
enum CatalogLocale {
    /// libsystemd asks the process's locale for the language of a text. The locale stays C where the requested one is
    /// not installed.
    static func adopt() { setlocale(LC_MESSAGES, "") }

    /// Whether to assume UTF-8 for the output, as journalctl does: also where the locale is not installed, or none is
    /// requested.
    static var isUTF8: Bool {
        let categories = [LC_CTYPE, LC_NUMERIC, LC_TIME, LC_COLLATE, LC_MONETARY, LC_MESSAGES]
        guard let locale = newlocale(categories.reduce(0) { $0 | 1 << $1 }, "", nil) else { return true }
        defer { freelocale(locale) }
        if let name = nl_langinfo_l(nl_item(CODESET), locale), String(cString: name) == "UTF-8" { return true }
        return ["LC_ALL", "LC_CTYPE", "LANG"].allSatisfy { ColorChoice.environment($0) == nil }
    }
}
