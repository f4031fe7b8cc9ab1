#!/usr/bin/env python3
"""Shows which faults in the operators no test notices.

1. Copies the package to .build/mutants and plants faults there: negated conditions, moved bounds, dropped statements, a wrong
   answer, a count off by one. All of them are built into one test program. Each is asleep until MUTANT names it.
2. Runs each suite once without a fault. MUTANTS_SEEN names a file in which the program marks the faults that it reaches.
   This says, for each fault, the suites that can notice it, and for each suite how long it takes.
3. Runs, for each fault, the suites that reach it until a test fails: first those that are quick and reach little else. A suite
   that stands still, or runs far longer than without a fault, hangs, and has noticed it too.

A fault that no test notices is printed with its place. So is one that only makes a suite hang; what that suite said is in
.build/mutants/hung-NUMBER.log. What became of each fault is in .build/mutants/results.tsv. With --left, those that it says
were noticed are not tried again, as after a test was added or the script was stopped.

Which faults are planted depends on the seed and on the lines themselves, not on their number, so that after a change most are
the same. Only one is planted in a line.

usage: Scripts/mutate.py [--count 300] [--seed 1] [--jobs 2] [--filter REGEX] [--left] [--only FILE:LINE ...] [--list] [FOLDER ...]
"""
import argparse, concurrent.futures, glob, hashlib, os, re, shutil, subprocess, sys, tempfile, time

top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
work = os.path.join(top, ".build", "mutants")
program = os.path.join(work, ".build/debug/busctl-rxPackageTests.xctest")
# As in Scripts/test.sh, which says why.
build_options = ["--enable-all-traits", "-debug-info-format", "none", "--disable-index-store"]
# The copy has no other targets than these tests and what they need.
tests = ["BusTests", "BusTestingTests", "TimersTests"]
manifest = """
var needed: Set = [NAMES]
while true {
    let more = package.targets.filter { needed.contains($0.name) }.flatMap(\\.dependencies).compactMap { dependency in
        if case .byNameItem(let name, _) = dependency { name } else { nil }
    }
    if needed.isSuperset(of: more) { break }
    needed.formUnion(more)
}
package.targets.removeAll { !needed.contains($0.name) }
package.products = []
""".replace("NAMES", ", ".join(f'"{name}"' for name in tests))
highest = 1 << 20
switch_file = "Sources/Bus/Mutants.swift"
switch = f"""
import Glibc
import Synchronization

private let awakeMutant = getenv("MUTANT").flatMap {{ Int(String(cString: $0)) }} ?? -1

// One byte for each fault, in a file: what was reached is known however the program ends. The pointer never changes, and what
// it points to is atomic.
private nonisolated(unsafe) let reachedMutants: UnsafeMutablePointer<Atomic<UInt8>>? = {{
    guard let path = getenv("MUTANTS_SEEN") else {{ return nil }}
    let file = open(path, O_RDWR)
    let bytes = mmap(nil, {highest}, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    guard file >= 0, bytes != MAP_FAILED else {{ fatalError("cannot map the file that MUTANTS_SEEN names") }}
    return bytes?.assumingMemoryBound(to: Atomic<UInt8>.self)
}}()

@usableFromInline
@inline(never)
package func mutated(_ number: Int) -> Bool {{
    if let reachedMutants {{ reachedMutants[number].store(1, ordering: .relaxed) }}
    return number == awakeMutant
}}
"""


def clauses(text):
    """Splits the conditions of an `if` or `guard` at its commas."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += c in "([{"
        depth -= c in ")]}"
        if c == "," and depth == 0:
            parts.append((start, i))
            start = i + 1
    return parts + [(start, len(text))]


def faults_in(line):
    """Every faulty form of a line, with what is wrong with it; @ stands for the mutant's number."""
    found = []
    code = line.split("//")[0].rstrip()
    head = re.match(r"^(\s*)(\} else )?(if|guard|while) (.*?)( else)? \{(.*)$", code)
    if head and "{" not in head[4]:
        offset = head.start(4)
        for a, b in clauses(head[4]):
            clause = head[4][a:b]
            text = clause.strip()
            if re.match(r"(let|var|case|#)", text) or not text:
                continue
            place = offset + a + (len(clause) - len(clause.lstrip()))
            after = code[place + len(text):]
            found.append((code[:place] + f"(mutated(@) != ({text}))" + after, f"negated: {text}"))
            bound = re.match(r"^([^<>=&|?]+) (<|<=|>|>=) ([^<>=&|?]+)$", text)
            if bound:
                other = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}[bound[2]]
                moved = f"{bound[1]} {other} {bound[3]}"
                found.append((code[:place] + f"(mutated(@) ? {moved} : {text})" + after, f"moved bound: {moved}"))
            for sign in (" && ", " || "):
                if text.count(sign) == 1 and "(" not in text:
                    left = text.split(sign)[0]
                    found.append((code[:place] + f"(mutated(@) ? {left} : {text})" + after, f"only: {left}"))
    if not head:
        if re.match(r"^\s+(return )?\.more$", code) or re.match(r"^\s+return .*[?:] \.more\b", code):
            found.append((code.replace(".more", "(mutated(@) ? .stop : .more)", 1), "answers .stop"))
        if re.match(r"^\s+(return )?\.stop$", code):
            found.append((code.replace(".stop", "(mutated(@) ? .more : .stop)", 1), "answers .more"))
        boolean = re.match(r"^(\s+return )(true|false)$", code)
        if boolean:
            found.append((f"{boolean[1]}(mutated(@) != {boolean[2]})", f"returns the opposite of {boolean[2]}"))
        statement = re.match(r"^(\s+)([\w.?!\[\]]+(?:\(.*\)| [-+&|]*= [^{]+))$", code)
        # A constructor or an operator alone in a line is what a function returns.
        keyword = re.match(r"^\s+([A-Z]\w*[(<]|transduced\(|return|let|var|self = |self\.\w+ = |super|init|case|throw|precondition|_ =|if|guard|switch|for|while)\b", code)
        if statement and not keyword and code.count("(") == code.count(")"):
            found.append((f"{statement[1]}if !mutated(@) {{ {statement[2]} }}", f"dropped: {statement[2]}"))
    step = re.search(r" ([-+]) 1\b(?!\w)", code)
    if step and not head:
        found.append((code[:step.start()] + f" {step[1]} (mutated(@) ? 0 : 1)" + code[step.end():], f"no {step[1]} 1"))
    return found


def candidates(folders, seed):
    """Every possible fault, in an order that depends on the seed alone."""
    found = []
    for folder in folders:
        for path, _, names in os.walk(os.path.join(top, folder)):
            for name in names:
                if not name.endswith(".swift"):
                    continue
                file = os.path.relpath(os.path.join(path, name), top)
                same = {}
                with open(os.path.join(top, file)) as text:
                    for number, line in enumerate(text, 1):
                        for form, what in faults_in(line.rstrip("\n")):
                            place = (line, what)
                            same[place] = same.get(place, 0) + 1
                            key = hashlib.sha256(f"{seed} {file} {line} {what} {same[place]}".encode()).hexdigest()
                            found.append(dict(file=file, line=number, form=form, what=what, key=key))
    return sorted(found, key=lambda m: m["key"])


def choose(every, count, only, refused):
    """As many faults as are asked for, and those of the lines asked for; one in a line, as a second would be inside the first."""
    chosen, lines, numbers = [], set(), set()
    for asked in ([True, False] if only else [False]):
        for mutant in every:
            place = f"{mutant['file']}:{mutant['line']}"
            if place in lines or mutant["key"] in refused or (place not in only if asked else len(chosen) >= count):
                continue
            number = int(mutant["key"][:16], 16) % highest
            while number in numbers:
                number = (number + 1) % highest
            mutant["id"] = number
            numbers.add(number)
            lines.add(place)
            chosen.append(mutant)
    return chosen


def write(path, content, like=None):
    """Writes a file unless it is so already, so that what did not change is not built anew."""
    try:
        with open(path, "rb") as old:
            if old.read() == content:
                return
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(content)
    if like:
        shutil.copymode(like, path)


def plant(mutants):
    """Makes the copy what the package is, with these faults in it."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=top, text=True, check=True, stdout=subprocess.PIPE)
    files = {f for f in listed.stdout.splitlines() if os.path.isfile(os.path.join(top, f))}
    for file in files:
        with open(os.path.join(top, file), "rb") as text:
            content = text.read()
        here = [m for m in mutants if m["file"] == file]
        if here:
            lines = content.decode().split("\n")
            for mutant in here:
                lines[mutant["line"] - 1] = mutant["form"].replace("@", str(mutant["id"]))
            content = "\n".join(lines).encode()
        if file == "Package.swift":
            content += manifest.encode()
        write(os.path.join(work, file), content, like=os.path.join(top, file))
    write(os.path.join(work, switch_file), switch.encode())
    for folder in ["Sources", "Tests"]:
        for path, _, names in os.walk(os.path.join(work, folder)):
            for name in names:
                file = os.path.relpath(os.path.join(path, name), work)
                if file not in files and file != switch_file:
                    os.remove(os.path.join(work, file))


def build(every, options):
    """Builds the copy and returns the faults in it. What does not compile is left out, now and the next time."""
    list_of_refused = os.path.join(work, "refused.txt")
    refused = set(open(list_of_refused).read().split()) if os.path.exists(list_of_refused) else set()
    for attempt in range(60):
        mutants = choose(every, options.count, options.only, refused)
        plant(mutants)
        result = subprocess.run(
            ["swift", "build", "--build-tests", *build_options], cwd=work, text=True,
            env=dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if result.returncode == 0:
            return mutants
        places = {(os.path.relpath(f, work), int(l)) for f, l in re.findall(r"(/[^\s:]+\.swift):(\d+):\d+: error", result.stdout)}
        wrong = [m for m in mutants if (m["file"], m["line"]) in places]
        if not wrong:
            # The compiler may report it at the beginning or the end of its function: the nearest ones go.
            for file, line in places:
                here = [m for m in mutants if m["file"] == file]
                wrong += sorted(here, key=lambda m: abs(m["line"] - line))[:1]
        if not wrong:
            errors = sorted(set(re.findall(r"/[^\n]*: error: [^\n]*", result.stdout)))
            sys.exit("the copy does not build:\n" + ("\n".join(errors) or result.stdout[-3000:]))
        for mutant in wrong:
            print(f"does not compile: {mutant['file']}:{mutant['line']}: {mutant['what']}", flush=True)
        refused |= {m["key"] for m in wrong}
        with open(list_of_refused, "w") as out:
            out.write("\n".join(sorted(refused)))
    sys.exit("the copy does not build")


def activity(process):
    """How much processor time a process has used, and whether one of its threads wants more, or somebody has stopped it."""
    used, is_busy = 0, False
    for path in glob.glob(f"/proc/{process.pid}/task/*/stat"):
        try:
            with open(path) as stat:
                fields = stat.read().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        used += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        is_busy = is_busy or fields[0] in "RDT"
    return used, is_busy


def run(suite, environment, limit):
    """Runs one suite. Returns how it went, "passed", "failed" or "hung", and how long it took.

    It hangs when it does nothing for a while, or uses more processor time than the limit; how busy the machine is does not count.
    """
    command = [program, "--testing-library", "swift-testing", "--filter", "^" + re.escape(suite) + "/"]
    environment = dict(os.environ, SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="1", SWIFT_BACKTRACE="enable=no", **environment)
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        process = subprocess.Popen(command, cwd=work, env=environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        start, how, position = time.time(), None, 0
        before, since = 0, start
        while how is None:
            try:
                how = "passed" if process.wait(timeout=0.25) == 0 else "failed"
            except subprocess.TimeoutExpired:
                used, is_busy = activity(process)
                if is_busy or used != before:
                    before, since = used, time.time()
                said = os.pread(log.fileno(), 1 << 20, position)
                # A few bytes again: a word may have been written in two pieces.
                position += max(0, len(said) - 20)
                if "✘".encode() in said:
                    how = "failed"
                elif time.time() - since > 30 or used > limit:
                    how = "hung"
        took = time.time() - start
        try:
            # What the suite started may outlive it.
            os.killpg(process.pid, 9)
        except ProcessLookupError:
            pass
        process.wait()
        if how == "hung":
            with open(os.path.join(work, f"hung-{environment.get('MUTANT', 'none')}.log"), "wb") as kept:
                kept.write(os.pread(log.fileno(), 1 << 24, 0))
        return how, took


def reach(suites):
    """Runs each suite without a fault. Returns the numbers of the faults that each reaches, and how long each takes."""
    reached, times = {}, {}
    seen = os.path.join(work, "seen")
    for suite in suites:
        with open(seen, "wb") as out:
            out.truncate(highest)
        how, times[suite] = run(suite, dict(MUTANTS_SEEN=seen), 600)
        if how != "passed":
            sys.exit(f"{suite} {how} without any fault awake")
        with open(seen, "rb") as bytes_of_all:
            reached[suite] = {number for number, byte in enumerate(bytes_of_all.read()) if byte}
    return reached, times


def wake(mutant, reached, times):
    """Runs the suites that reach a fault until one notices; "survived", or how it was noticed, and by which suite."""
    for suite in sorted((s for s in reached if mutant["id"] in reached[s]), key=lambda s: times[s] * len(reached[s])):
        how, _ = run(suite, dict(MUTANT=str(mutant["id"])), 20 + 10 * times[suite])
        if how != "passed":
            return mutant, how, suite
    return mutant, "survived" if any(mutant["id"] in numbers for numbers in reached.values()) else "unreached", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="how many faults are planted")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--filter", default="", help="which tests' suites are run, as BusTests.FanoutTests")
    parser.add_argument("--list", action="store_true", help="print the faults that would be planted")
    parser.add_argument("--only", nargs="*", default=[], metavar="FILE:LINE",
                        help="wake the faults of these lines alone; the others stay planted, so that little is built anew")
    parser.add_argument("--left", action="store_true", help="leave out those that were noticed when it ran last")
    parser.add_argument("folders", nargs="*", default=["Sources/Bus/Operators", "Sources/Bus/Delivery", "Sources/Bus/Sharing",
                                                       "Sources/Bus/Subjects", "Sources/Bus/Sources", "Sources/Bus/Disposables"])
    options = parser.parse_args()

    every = candidates(options.folders, options.seed)
    if options.list:
        for mutant in choose(every, options.count, options.only, set()):
            print(f"{mutant['file']}:{mutant['line']}: {mutant['what']}")
        return
    os.makedirs(work, exist_ok=True)
    start = time.time()
    planted = build(every, options)
    print(f"{len(every)} possible faults, {len(planted)} planted; built in {time.time() - start:.0f} s", flush=True)

    listed = subprocess.run([program, "--testing-library", "swift-testing", "--list-tests"], text=True, check=True, stdout=subprocess.PIPE)
    suites = sorted({test.split("/")[0] for test in listed.stdout.splitlines() if re.search(options.filter, test)})
    reached, times = reach(suites)
    print(f"{len(suites)} suites take {sum(times.values()):.0f} s without a fault", flush=True)

    noticed, list_of_results = set(), os.path.join(work, "results.tsv")
    if options.left and os.path.exists(list_of_results):
        with open(list_of_results) as results:
            noticed = {line.split("\t")[0] for line in results if line.split("\t")[1] == "failed"}
    awake = [m for m in planted if m["key"] not in noticed and (not options.only or f"{m['file']}:{m['line']}" in options.only)]
    print(f"{len(noticed)} were noticed before, {len(awake)} are tried", flush=True)
    counts, start = {}, time.time()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, open(list_of_results, "a" if options.left else "w") as results:
        for task in concurrent.futures.as_completed([pool.submit(wake, m, reached, times) for m in awake]):
            mutant, how, suite = task.result()
            counts[how] = counts.get(how, 0) + 1
            line = f"{mutant['file']}:{mutant['line']}: {mutant['what']}"
            print(f"{mutant['key']}\t{how}\t{suite}\t{line}", file=results, flush=True)
            if how != "failed":
                print(f"{how}: {line}" + (f" ({suite})" if suite else ""), flush=True)
    print(", ".join(f"{count} {how}" for how, count in sorted(counts.items())) + f", in {time.time() - start:.0f} s")


main()
