"""How much the suites of tests do. Each kind of event happens in both sizes."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Sizes:
    name: str
    # bus: rounds in which ten units are restarted while everything is heard, and while one interface is.
    broad_rounds: int
    rounds: int
    # daemon: seconds between the times of a calendar.
    period: int
    # follow: entries through everything that happens to a journal, and in each of the other parts.
    entries: int
    part: int
    # forward: kills of the forwarder and of the server, and power cuts.
    kills: int
    forward_cuts: int
    # power: cuts. The circumstances of a cut come again after four of them.
    cuts: int


SMALL = Sizes("small", broad_rounds=5, rounds=20, period=5, entries=3_000, part=1_200, kills=4, forward_cuts=1, cuts=4)
FULL = Sizes("full", broad_rounds=10, rounds=100, period=10, entries=100_000, part=8_000, kills=8, forward_cuts=2, cuts=20)
