"""`tail` against this machine's journalctl, over three boots, as root, as a member of systemd-journal and as a stranger."""
import json

# The wrapper leaves out the last line of what is shown of priorities.
FAULT = """#!/bin/sh
case " $* " in *" -p "*) /usr/bin/busctl-rx "$@" | sed '$d' ;; *) exec /usr/bin/busctl-rx "$@" ;; esac
"""
FOUND = r": .*-p \S+: content: "


def prepare(machine):
    """Three boots, with what a comparison is to meet."""
    for boot in range(3):
        machine.need(
            "sh", "-ec",
            """
            systemctl start greeter@one greeter@two
            systemctl start greeter@one
            logger -p user.err "an error of boot $0"
            logger -t several "$(printf 'two\\nlines')"
            systemd-run --quiet --wait --user --machine=member@ --unit=greetings.service /bin/echo hello from a user
            sh -c 'kill -SEGV $$' || [ $? = 139 ]
            for try in $(seq 1000); do
                if [ "$(coredumpctl list --no-legend 2>/dev/null | wc -l)" -gt "$0" ]; then break; fi
                sleep 0.2
            done
            [ "$(coredumpctl list --no-legend | wc -l)" -gt "$0" ]
            journalctl --sync
            """,
            str(boot),
        )
        if boot < 2:
            machine.restart()


def run(machine, fault):
    if fault:
        machine.write({"/usr/local/bin/busctl-rx": FAULT})
    prepare(machine)
    lines = machine.need("python3", "/payload/compare.py", "root", "member", "stranger").decode().splitlines()
    *differences, total = map(json.loads, lines)
    full = ", ".join(f"{count} as {user}" for user, count in total["full"].items())
    machine.say(f"{total['sets']} sets of options; with output of both: {full}")
    for why, count in sorted(total["allowed"].items()):
        machine.say(f"{count} differences: {why}")
    for why, count in sorted(total["rephrased"].items()):
        machine.say(f"{count} sets put to journalctl in another way: {why}")
    for line in differences:
        machine.find(f"{', '.join(line['users'])}: {line['options'] or 'no options'}: {line['difference']}")
    if total["sets"] < 120:
        machine.find(f"only {total['sets']} sets of options")
    # A comparison of nothing with nothing says nothing.
    for options, is_meant in total["empty"].items():
        machine.find(f"{options} shows {'something, which it should not' if is_meant else 'nothing to anybody'}")
    for user, least in (("root", 90), ("member", 90), ("stranger", 1)):
        if total["full"][user] < least:
            machine.find(f"only {total['full'][user]} comparisons as {user} had output of both")
