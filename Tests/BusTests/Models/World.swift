import Bus
import BusTesting
import Timers

typealias Stream = AnySignal<Int, TestFailure>

/// The sources of one trial, and its time.
final class World {
    let time = TestScheduler()
    let hot: [ProbeSource<Int, TestFailure>]
    let silent = ProbeSource(of: Int.self, failure: TestFailure.self)
    private var colds: [ColdSource<Int, TestFailure>] = []

    init(_ scripts: [Script]) {
        let time = time
        hot = scripts.map { time.hot($0.recorded) }
    }

    func cold(_ script: Script) -> ColdSource<Int, TestFailure> {
        let source = ColdSource(script.recorded, on: time)
        colds.append(source)
        return source
    }

    var liveSubscriptions: Int {
        silent.liveSubscriptions + hot.reduce(0) { $0 + $1.liveSubscriptions }
            + colds.reduce(0) { $0 + $1.liveSubscriptions }
    }
}
