import SystemPackage
import TestSupport
import Testing

@testable import FileBridge

@Suite("The names in a directory")
struct NameListingTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        try folder.shell("touch a b; mkdir c")
    }

    @Test("are listed until they do not change")
    func settling() {
        var listings = 0
        let names = NameListing(of: RawPath(folder.path)) { name, _ in
            if name == ".", listings < 3 {
                #expect(throws: Never.self) { try folder.shell("mv b \(listings); touch b") }
                listings += 1
            }
            return name.bytes.first != UInt8(ascii: ".")
        }
        #expect(names.isWhole && Set(names.inodes.keys) == ["a", "b", "c", "0", "1", "2"])
    }

    @Test("that change all the time, or cannot be read, are not known to be whole")
    func changing() {
        var listings = 0
        let names = NameListing(of: RawPath(folder.path)) { name, _ in
            if name == "." { listings += 1 }
            return listings % 2 == 0
        }
        #expect(!names.isWhole && listings > 2)
        #expect(!NameListing(of: RawPath(folder.file("missing"))) { _, _ in true }.isWhole)
        #expect(!NameListing(of: RawPath(folder.file("a"))) { _, _ in true }.isWhole)
    }
}
