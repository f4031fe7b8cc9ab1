/// The value of `SYSTEMD_PAGERSECURE`: whether the pager must not start programs or open other files.
enum PagerSecurity: Equatable {
    case asked(Bool)
    case unasked
    /// It is set to something else.
    case unknown

    init(_ text: String?) {
        switch text?.lowercased() {
        case nil: self = .unasked
        case "1", "yes", "y", "true", "t", "on": self = .asked(true)
        case "0", "no", "n", "false", "f", "off": self = .asked(false)
        default: self = .unknown
        }
    }

    /// `nil` where it is not set.
    var isSecure: Bool? {
        switch self {
        case .asked(let isSecure): isSecure
        case .unknown: true
        case .unasked: nil
        }
    }
}
