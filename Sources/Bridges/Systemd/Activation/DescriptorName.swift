/// The names of descriptors that a service manager keeps or passes on.
enum DescriptorName {
    static func isValid(_ name: String) -> Bool {
        (1...255).contains(name.utf8.count)
            && name.utf8.allSatisfy { (32...126).contains($0) && $0 != UInt8(ascii: ":") }
    }
}
