/// One of our figures compared with its floor and with the usual alternatives.
struct Standing {
    let name: String
    let unit: String
    let ours: Series
    /// The least that the job can cost.
    var floor: Series?
    /// What a user would choose instead.
    var instead: [Series] = []

    func instead(named name: String) -> Series? { instead.first { $0.name == name } }
}

extension Standing {
    /// The same for something that takes less than a second.
    var inMilliseconds: Standing {
        func scaled(_ series: Series) -> Series {
            Series(name: series.name, samples: series.samples.map { $0 * 1000 })
        }
        return Standing(
            name: name,
            unit: "ms",
            ours: scaled(ours),
            floor: floor.map(scaled),
            instead: instead.map(scaled)
        )
    }
}
