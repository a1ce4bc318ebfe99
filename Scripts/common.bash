# Shared by the scripts beside it; sourced, never run.
#
# What a build needs, and a stamp that tells without asking the build system whether one is needed.
# Everything said here goes to standard error: standard output belongs to the tool.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)
build=$root/.build
products=(anechoic apple-device accessory bench-device hci-door)
guest_library=libanechoic-guest.so
played_apps=(loaded-app peers-app phones-app singleton-app stranger-app)

# Exit statuses as in sysexits.h, which are the tool's too; 1 is a verdict of the tool's, never ours.
# shellcheck disable=SC2034
readonly EX_USAGE=64 EX_UNAVAILABLE=69 EX_SOFTWARE=70

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# die STATUS SENTENCE
die() {
    local status=$1
    shift
    say "$@"
    exit "$status"
}

# require_swift: nothing can be built without it, and no package of the system has it.
require_swift() {
    command -v swift >/dev/null || die "$EX_UNAVAILABLE" \
        "there is no 'swift' in PATH. Install Swift 6.3 (https://www.swift.org/install/linux/)."
}

# Whether somebody can be asked. Asked for here, because builds get no standard input.
interactive=false
[[ ! -t 0 || ! -t 2 ]] || interactive=true

# agree PACKAGES FROM_PYPI (by words): says what is about to be installed and, on a terminal, asks once.
agree() {
    local answer
    [[ -n $1$2 ]] || return 0
    # Who may not install is told what to type, and needs no question.
    # shellcheck disable=SC2086
    ((EUID == 0)) || install_packages $1
    [[ -z $1 ]] || say "about to install by apt-get: $1"
    [[ -z $2 ]] || say "about to install from PyPI, inside of ${build#"$root/"}: $2"
    $interactive || return 0
    read -r -p "Go on? [Y/n] " answer 2>&1 </dev/tty >&2 || answer=n
    [[ ${answer:-y} == [Yy]* ]] || die "$EX_UNAVAILABLE" "nothing was installed, and nothing was built."
}

# install_packages PACKAGE...: installs system packages, or says how to.
install_packages() {
    (($# > 0)) || return 0
    command -v apt-get >/dev/null || die "$EX_UNAVAILABLE" \
        "these are missing (by their Debian names): $*. Install them, then run this again."
    ((EUID == 0)) || die "$EX_UNAVAILABLE" "$* must be installed. Run this once, then try again:
    sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends $*'"
    say "installing $* by apt-get"
    export DEBIAN_FRONTEND=noninteractive
    { apt-get -q update && apt-get -q install -y --no-install-recommends \
        -o DPkg::Lock::Timeout=300 "$@"; } </dev/null >&2 ||
        die "$EX_UNAVAILABLE" "apt-get could not install $*; its own words are above."
}

# require_packages PACKAGE...: the same, after a question.
require_packages() {
    agree "$*" ""
    install_packages "$@"
}

# missing_libraries: adds to `packages` libuv, what tells the compiler where it lies, mimalloc, Mbed TLS and SQLite.
missing_libraries() {
    pkg-config --exists libuv 2>/dev/null || packages+=(libuv1-dev pkg-config)
    links mimalloc || packages+=(libmimalloc-dev)
    links mbedcrypto || packages+=(libmbedtls-dev)
    links sqlite3 || packages+=(libsqlite3-dev)
}

# links LIBRARY: whether it can be linked. The Swift toolchain has a C compiler; not every package says something
# to pkg-config.
links() {
    "$(dirname "$(readlink -f "$(command -v swift)")")/clang" -x c -o /dev/null - -l"$1" \
        <<<'int main(void) { return 0; }' 2>/dev/null
}

require_libraries() {
    local packages=()
    missing_libraries
    require_packages "${packages[@]}"
}

# Where Debian's packages node-d3 and libjs-d3 put it.
charts=(/usr/share/nodejs/d3/dist/d3.min.js /usr/share/javascript/d3/d3.min.js)

# find_charts: the file of d3 that is there.
find_charts() {
    local file
    for file in "${charts[@]}"; do
        [[ ! -f $file ]] || { echo "$file" && return; }
    done
    return 1
}

# missing_charts: adds to `packages` d3, which `anechoic report` copies into the pages that it makes.
missing_charts() {
    find_charts >/dev/null || packages+=(node-d3)
}

# has_modules FOLDER MODULES (by commas): whether they can be imported there.
has_modules() { "$1/bin/python3" -c "import $2" 2>/dev/null; }

# missing_python: adds to `packages` what makes Python environments.
missing_python() {
    command -v python3 >/dev/null || packages+=(python3)
    python3 -c 'import ensurepip, venv' 2>/dev/null || packages+=(python3-venv)
}

# make_venv FOLDER REQUIREMENTS MODULES: a Python environment with the requirements (by words), in
# which the modules (by commas) can be imported; after a question.
make_venv() {
    has_modules "$1" "$3" && return
    local packages=()
    missing_python
    agree "${packages[*]}" "$2"
    install_packages "${packages[@]}"
    fill_venv "$1" "$2"
}

# fill_venv FOLDER REQUIREMENTS
fill_venv() {
    say "installing $2 from PyPI"
    # Split on purpose: a word is a requirement.
    # shellcheck disable=SC2086
    { python3 -m venv --clear "$1" &&
        "$1/bin/python3" -m pip install --quiet --disable-pip-version-check $2; } >&2 ||
        die "$EX_UNAVAILABLE" "pip could not install $2. Is this machine offline? Once it is" \
            "installed, no network is needed any more."
}

# inputs PATH...: a line for each file below. Whatever is changed, added, renamed or removed changes
# them: by the time of the last change of the inode, which no program can set back.
inputs() { (cd "$root" && find "$@" -type f -printf '%p %s %C@ %i\n' 2>/dev/null) || true; }

# up_to_date NAME PRINT: whether the stamp says that just this was built.
up_to_date() { [[ -f $build/$1.stamp && $(<"$build/$1.stamp") == "$2" ]]; }

# build_once NAME INPUTS OUTPUTS COMMAND...: runs COMMAND unless the inputs (paths by words) and the
# outputs are those of its last success. Of several callers one builds and the others wait for it.
build_once() {
    local name=$1 in=$2 out=$3
    shift 3
    # Split on purpose: these are lists of paths inside the repository.
    # shellcheck disable=SC2086
    up_to_date "$name" "$(inputs $in $out)" && return
    { mkdir -p "$build" && [[ -w $build ]]; } || die "$EX_UNAVAILABLE" "cannot write to $build"
    (
        exec 9>"$build/setup.lock"
        flock 9
        # shellcheck disable=SC2086
        up_to_date "$name" "$(inputs $in $out)" && exit
        rm -f "$build/$name.stamp"
        # What is edited while the build runs is not in this list, so it is built the next time.
        # shellcheck disable=SC2086
        before=$(inputs $in)
        # The lock is not for children to keep.
        "$@" 9>&- </dev/null >&2
        # shellcheck disable=SC2086
        printf '%s\n%s\n' "$before" "$(inputs $out)" >"$build/$name.stamp.new"
        mv "$build/$name.stamp.new" "$build/$name.stamp"
    )
}

# The executables, with the standard library inside them: a device then starts in a few milliseconds.
# Package.swift says how they are linked.
build_tool() {
    build_once tool "Package.swift Sources Scripts/common.bash" \
        "Package.resolved ${products[*]/#/.build/release/} .build/release/$guest_library" build_tool_now
}

# The tool with what only Scripts/bench needs: its measurements, and the app of the strangers.
build_bench() {
    build_tool
    build_once bench "Package.swift Sources Tests/Programs/stranger-app Scripts/common.bash" \
        ".build/release/anechoic-bench .build/release/stranger-app" build_products anechoic-bench stranger-app
}

# The apps that only tests start, released as the devices are.
build_played() {
    build_once played "Package.swift Sources Tests/Programs Scripts/common.bash" \
        "${played_apps[*]/#/.build/release/}" build_products "${played_apps[@]}"
}

# How everything is built, once, for users and for tests, which may see what is internal. Package.swift says which
# targets are optimised; a module is written in the job that compiles it, so that the compiler reads its sources once,
# and others can inline what is in it. Run-time exclusivity checks are those of Scripts/test --sanitize.
released=(-c release -Xswiftc -Onone -Xswiftc -no-emit-module-separately-wmo -Xswiftc -gline-tables-only
    -Xswiftc -enable-testing -Xswiftc -enforce-exclusivity=unchecked)

# build_products NAME...: what a user needs is built without what only tests need.
build_products() {
    local product
    require_swift
    require_libraries
    say "building (release)"
    for product; do
        swift build --package-path "$root" "${released[@]}" --product "$product" ||
            die "$EX_SOFTWARE" "the build failed; the compiler's errors are above."
    done
}

build_tool_now() {
    build_products "${products[@]}"
    build_guest_library "$build/release"
}

# build_guest_library FOLDER: a program that somebody else built loads this library, so it needs nothing of Swift's,
# which SwiftPM would link to it. The compiler is the one that comes with Swift.
build_guest_library() {
    "$(dirname "$(readlink -f "$(command -v swiftc)")")/clang" -std=gnu11 -O2 -Wall -Wextra -Werror -shared -fPIC \
        -fvisibility=hidden -pthread -o "$1/$guest_library" "$root"/Sources/Devices/Foreign/CGuest/*.c -ldl ||
        die "$EX_SOFTWARE" "the build of $guest_library failed; the compiler's errors are above."
}
