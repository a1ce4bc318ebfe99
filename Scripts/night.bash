# The long proofs of Scripts/test --night; sourced, never run.
#
# Each is done in pieces. A piece that held leaves a mark under .build/night, which the next night
# passes over as long as the program is the same; the fuzzer keeps a tally of its own.
# shellcheck shell=bash

night=$build/night
# Seeds a piece, and runs in all; the seeds begin where nobody tries by hand.
night_block=10
night_runs=10000
night_first=100000

# night_program: what the marks of this program are called.
night_program() {
    (cd "$root" && find Package.swift Sources Topologies -type f -print0 | sort -z |
        xargs -0 sha256sum | sha256sum | cut -c1-16)
}

# foreground COMMAND...: runs it so that whoever ends this script ends it as well, at once.
foreground() {
    local status=0
    "$@" &
    trap "kill -TERM $! 2>/dev/null; wait $! || true; exit 130" INT TERM HUP
    wait $! || status=$?
    trap - INT TERM HUP
    return "$status"
}

# piece NAME COMMAND...: does it unless it held before. It failed: says so and goes on.
piece() {
    local mark=$night/$program/$1
    shift
    [[ -f $mark ]] && return
    if foreground "$@"; then
        mkdir -p "${mark%/*}" && touch "$mark"
    else
        failed+=("$*")
    fi
}

play_topologies() {
    local count pieces index first
    count=$(find "$root/Topologies" -name '*.yaml' | wc -l)
    pieces=$(((night_runs + count * night_block - 1) / (count * night_block)))
    for ((index = 0; index < pieces; index++)); do
        first=$((night_first + index * night_block))
        say "topologies: piece $((index + 1)) of $pieces, $((count * night_block)) runs"
        piece "topologies-$index" "$build/release/anechoic" run "$root/Topologies" --no-out \
            --seeds "$first..$((first + night_block - 1))"
    done
    played+=("$((pieces * count * night_block)) runs of $count topologies")
}

count_apps() {
    say "what public apps name that our modules lack"
    piece apps "$root/Scripts/apps" --check
    played+=("the table of public apps")
}

play_own_app() {
    say "an app as anechoic new app makes it: the gate, random faults and the same traces, by process and inline"
    piece own-app "$root/Scripts/night.d/own-app" "$build/release/anechoic" "$night/own-app"
    ANECHOIC_NIGHT=1 piece own-app-guide "$root/Scripts/test" --filter NewAppTests
    played+=("an app of one's own, by process and inline")
}

play_soak() {
    local -a topologies=("$root/Topologies/basics/one-to-one.yaml" "$root/Topologies/dropout/mid-handshake.yaml")
    say "a soak that is killed 200 times"
    piece soak-kills python3 -B "$root/Scripts/night.d/kills.py" "$build/release/anechoic" \
        "${topologies[@]}" --kills 200 --runs 60000 --defect ben=keeps-session-after-disconnect
    played+=("a soak that was killed 200 times")
}

play_monitors() {
    say "the monitors against random properties and traces"
    ANECHOIC_NIGHT=1 piece monitors "$root/Scripts/test" --filter JudgeTests.LanguageTests
    played+=("the monitors against 101,000 random properties and traces")
}

play_foreign_hosts() {
    say "a race in a host that somebody else wrote, replayed 100 times"
    ANECHOIC_NIGHT=1 piece foreign-hosts "$root/Scripts/test" --filter BumblePairingTests
    played+=("pairings with Bumble, and 100 replays")
}

play_strangers() {
    # It keeps what it has measured by itself.
    foreground "$root/Scripts/bench" races --strangers || failed+=("Scripts/bench races --strangers")
    foreground "$root/Scripts/bench" verdicts --explore 1000 --jobs "$(nproc)" ||
        failed+=("Scripts/bench verdicts --explore 1000")
    played+=("races of strangers, and what is allowed under 1,000 more runs of random faults each")
}

# A table of programs that nobody of the house wrote and of all commands, from an installed prefix, and campaigns of them
# that are killed.
play_stranger_cells() {
    local -a cells=("$root/Scripts/night.d/strangers.py" "$night/prefix/bin/anechoic")
    local -a strangers=(--python "$build/venv/bin/python3")
    if ! has_modules "$build/venv" bumble; then
        strangers=()
        omitted+=("strangers on Bumble (Scripts/test installs it)")
    fi
    "$root/Scripts/install" "$night/prefix"
    say "strangers and commands"
    piece stranger-cells python3 -B "${cells[@]}" "$night/strangers" "${strangers[@]}"
    say "100,000 runs of soaks with strangers, which are killed 200 times"
    piece stranger-kills python3 -B "${cells[@]}" "$night/stranger-kills" "${strangers[@]}" \
        --runs 25000 --kills 50 c/killed python/killed
    played+=("strangers and commands, and 100,000 runs of soaks with them that were killed 200 times")
}

# An image for servers, made without a container engine, in which the jobs of the manual are played.
play_image() {
    say "the image and its jobs"
    if ((EUID != 0)); then
        omitted+=("the image and its jobs (they need root)")
        return
    fi
    piece image "$root/Scripts/night.d/image" "$night/image"
    played+=("the image and its jobs")
}

play_gate() {
    say "what the gate finds, and whom it accuses"
    # It keeps what it has measured by itself.
    foreground "$root/Scripts/bench" gate || failed+=("Scripts/bench gate")
    piece defects "$build/release/anechoic" defects --hosting inline
    played+=("Scripts/bench gate and anechoic defects")
}

# Random faults have to raise no alarm, and every run that is kept has to repeat.
play_guests() {
    local python=$build/venv/bin/python3
    say "a lock on Bumble and a host in C: 1,000 runs with random faults each, and 100 replays"
    if has_modules "$build/venv" bumble; then
        piece guests "$python" -B "$root/Scripts/night.d/guests.py" "$build/release/anechoic" "$night/guests" "$python"
        played+=("1,000 runs of a lock on Bumble and of a host in C each, with random faults, and 100 replays")
    else
        omitted+=("guests (Scripts/test installs Bumble)")
    fi
}

# Random faults have to raise no alarm on healthy devices.
play_apple_devices() {
    local topology
    say "Apple devices among themselves: 10,000 runs of each topology with random faults"
    for topology in "$root"/Topologies/{camera,extended-distance,line-of-sight,peers,versions}/*.yaml \
        "$root"/Topologies/races/token-beside-an-end.yaml; do
        # What expects a violation is no healthy device.
        ! grep -q "violated" "$topology" || continue
        piece "apple-$(basename "$topology" .yaml)" "$build/release/anechoic" explore "$topology" --faults random \
            --runs 10000 --hosting inline --out "$night/apple-devices"
    done
    played+=("10,000 runs with random faults of each topology of cameras, extended distance, line of sight, peers and versions")
}

play_fuzzer() {
    foreground "$root/Scripts/fuzz" --for "$1" --jobs "$(nproc)" || failed+=("Scripts/fuzz")
    "$root/Scripts/fuzz" --tally
    played+=("the fuzzer for $1")
}

# play_the_night LENGTH: everything that takes hours; the fuzzer for LENGTH.
play_the_night() {
    local program played=() omitted=("the tests (Scripts/test)") failed=()
    program=$(night_program)
    play_topologies
    play_monitors
    play_foreign_hosts
    play_strangers
    play_stranger_cells
    play_soak
    count_apps
    play_own_app
    play_image
    play_gate
    play_guests
    play_apple_devices
    play_fuzzer "$1"
    printf 'played: %s\n' "${played[@]}"
    printf 'omitted: %s\n' "${omitted[@]}"
    ((${#failed[@]} == 0)) || printf 'failed: %s\n' "${failed[@]}"
    ((${#failed[@]} == 0))
}
