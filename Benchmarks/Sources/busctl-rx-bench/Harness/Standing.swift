/// How one measured thing of ours stands beside its floor and beside what one would use instead.
struct Standing {
    let name: String
    let unit: String
    let ours: Series
    /// The least that the job can cost.
    var floor: Series?
    /// What a user would pick instead.
    var instead: [Series] = []

    func instead(named name: String) -> Series? { instead.first { $0.name == name } }
}
