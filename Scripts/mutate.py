#!/usr/bin/env python3
"""Shows which faults in the operators no test notices.

Copies the package, plants faults (negated conditions, moved bounds, dropped statements, a wrong answer, a count off by one)
and builds all of them into one test program. Each is asleep until MUTANT names it. The tests then run once for each fault,
until the first failure. A fault that no test notices is printed with its place.

usage: Scripts/mutate.py [--count 300] [--seed 1] [--jobs 2] [--filter REGEX] [--only FILE:LINE ...] [FOLDER ...]
"""
import argparse, concurrent.futures, os, random, re, shutil, subprocess, sys, time

top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
work = os.path.join(top, ".build", "mutants")
# As in Scripts/test.sh, which says why.
build_options = ["--enable-all-traits", "-debug-info-format", "none", "--disable-index-store"]
switch = """
import Glibc

@usableFromInline let awakeMutant: Int = getenv("MUTANT").flatMap { Int(String(cString: $0)) } ?? -1

@usableFromInline
@inline(never)
package func mutated(_ number: Int) -> Bool { number == awakeMutant }
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
        keyword = re.match(r"^\s+(return|let|var|self = |self\.\w+ = |super|init|case|throw|precondition|_ =|if|guard|switch|for|while)\b", code)
        if statement and not keyword and code.count("(") == code.count(")"):
            found.append((f"{statement[1]}if !mutated(@) {{ {statement[2]} }}", f"dropped: {statement[2]}"))
    step = re.search(r" ([-+]) 1\b(?!\w)", code)
    if step and not head:
        found.append((code[:step.start()] + f" {step[1]} (mutated(@) ? 0 : 1)" + code[step.end():], f"no {step[1]} 1"))
    return found


def candidates(folders):
    for folder in folders:
        for path, _, names in sorted(os.walk(os.path.join(top, folder))):
            for name in sorted(names):
                if not name.endswith(".swift"):
                    continue
                file = os.path.relpath(os.path.join(path, name), top)
                with open(os.path.join(top, file)) as text:
                    for number, line in enumerate(text, 1):
                        for form, what in faults_in(line.rstrip("\n")):
                            yield dict(file=file, line=number, form=form, what=what)


def plant(mutants):
    """Writes the copy's sources with these faults in them."""
    by_file = {}
    for mutant in mutants:
        by_file.setdefault(mutant["file"], {})[mutant["line"]] = mutant
    for file in {m["file"] for m in mutants} | set(plant.touched):
        with open(os.path.join(top, file)) as text:
            lines = text.read().split("\n")
        for number, mutant in by_file.get(file, {}).items():
            lines[number - 1] = mutant["form"].replace("@", str(mutant["id"]))
        text = "\n".join(lines)
        target = os.path.join(work, file)
        with open(target) as old:
            if old.read() == text:
                continue
        with open(target, "w") as out:
            out.write(text)
    plant.touched = list(by_file)


plant.touched = []


def build(mutants):
    """Builds the copy, leaving out what does not compile."""
    for attempt in range(60):
        plant(mutants)
        result = subprocess.run(
            ["swift", "build", "--build-tests", *build_options], cwd=work, text=True,
            env=dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if result.returncode == 0:
            return mutants
        places = {(os.path.relpath(f, work), int(l)) for f, l in re.findall(r"(/[^\s:]+\.swift):(\d+):\d+: error", result.stdout)}
        left = [m for m in mutants if (m["file"], m["line"]) not in places]
        if len(left) == len(mutants):
            # The compiler may report it at the beginning or the end of its function: the nearest ones go.
            near = set()
            for file, line in places:
                here = [m for m in mutants if m["file"] == file]
                near |= {m["id"] for m in sorted(here, key=lambda m: abs(m["line"] - line))[:1]}
            left = [m for m in mutants if m["id"] not in near]
        if len(left) == len(mutants):
            sys.exit("the copy does not build:\n" + result.stdout[-3000:])
        print(f"left out {len(mutants) - len(left)} that do not compile", flush=True)
        mutants = left
    sys.exit("the copy does not build")


def survives(mutant, options, limit):
    """Runs the tests with one fault awake; None when a test noticed, or how it went."""
    program = os.path.join(work, ".build/debug/busctl-rxPackageTests.xctest")
    command = [program, "--testing-library", "swift-testing", "--filter", options.filter]
    environment = dict(os.environ, MUTANT=str(mutant["id"]), SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="1",
                       SWIFT_BACKTRACE="enable=no")
    start = time.time()
    log = os.path.join(work, f"mutant-{mutant['id']}.log")
    with open(log, "w") as out:
        process = subprocess.Popen(command, cwd=work, env=environment, stdout=out, stderr=subprocess.STDOUT,
                                   start_new_session=True)
    position, noticed = 0, None
    while noticed is None:
        try:
            noticed = "failed" if process.wait(timeout=0.5) != 0 else "survived"
        except subprocess.TimeoutExpired:
            with open(log, errors="replace") as text:
                text.seek(position)
                new = text.read()
                position = max(0, text.tell() - 200)
            if "recorded an issue" in new or "✘" in new:
                noticed = "failed"
            elif time.time() - start > limit:
                noticed = "hung"
    if process.poll() is None:
        os.killpg(process.pid, 9)
        process.wait()
    if noticed != "survived":
        os.remove(log)
    return mutant, noticed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--filter", default=r"^(BusTests|BusTestingTests|TimersTests)\.")
    parser.add_argument("--list", action="store_true", help="print the faults that would be planted")
    parser.add_argument("--only", nargs="*", default=[], metavar="FILE:LINE", help="faults of these lines alone")
    parser.add_argument("folders", nargs="*", default=["Sources/Bus/Operators", "Sources/Bus/Delivery", "Sources/Bus/Sharing",
                                                       "Sources/Bus/Subjects", "Sources/Bus/Sources", "Sources/Bus/Disposables"])
    options = parser.parse_args()

    every = list(candidates(options.folders))
    for number, mutant in enumerate(every):
        mutant["id"] = number
    random.Random(options.seed).shuffle(every)
    chosen, lines = [], set()
    for mutant in every:
        place = (mutant["file"], mutant["line"])
        if options.only and f"{mutant['file']}:{mutant['line']}" not in options.only:
            continue
        # Two in one line would be one inside the other.
        if place not in lines and len(chosen) < options.count:
            lines.add(place)
            chosen.append(mutant)
    print(f"{len(every)} possible faults, {len(chosen)} planted")
    if options.list:
        for mutant in chosen:
            print(f"{mutant['file']}:{mutant['line']}: {mutant['what']}")
        return

    os.makedirs(work, exist_ok=True)
    for name in os.listdir(top):
        if name.startswith(".git") or name.startswith(".build") or name == ".docs":
            continue
        source, target = os.path.join(top, name), os.path.join(work, name)
        subprocess.run(["cp", "-a", "-T", source, target], check=True)
    plant.touched = [os.path.relpath(os.path.join(p, n), top) for f in options.folders
                     for p, _, ns in os.walk(os.path.join(top, f)) for n in ns if n.endswith(".swift")]
    with open(os.path.join(work, "Sources/Bus/Mutants.swift"), "w") as out:
        out.write(switch)
    chosen = build(chosen)

    asleep = dict(id=-2)
    start = time.time()
    if survives(asleep, options, 3600)[1] != "survived":
        sys.exit("the tests fail without any fault awake")
    limit = 60 + 10 * (time.time() - start)
    print(f"{len(chosen)} compile; without a fault the tests take {time.time() - start:.0f} s", flush=True)

    counts = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for mutant, how in pool.map(lambda m: survives(m, options, limit), chosen):
            counts[how] = counts.get(how, 0) + 1
            if how != "failed":
                print(f"{how}: {mutant['file']}:{mutant['line']}: {mutant['what']}", flush=True)
    print(", ".join(f"{count} {how}" for how, count in sorted(counts.items())))


main()
