/// A name that a macro gives to something, for as long as its body lasts.
struct Variable {
    let name: String
    let slot: Int
    let type: StaticType
}
