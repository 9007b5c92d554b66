# Sourced by deploy/run and deploy/test: brings up a virtual environment from a lock file. Asks nothing; a second call is fast.
# shellcheck shell=bash

fail() {
    printf 'deploy: %s\n' "$1" >&2
    exit 1
}

# apt_install PACKAGE...: installs system packages, as root or through sudo.
apt_install() {
    local as_root=()
    command -v apt-get >/dev/null || fail "please install these packages with your system's package manager: $*"
    if [[ $EUID -ne 0 ]]; then
        # Without a question for a password.
        sudo -n true 2>/dev/null || fail "please run as root, or install: $*"
        as_root=(sudo -n)
    fi
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null
}

# find_python: prints the first Python that is new enough. The system's own comes first: on a Pi it is the one that knows the camera.
find_python() {
    local name
    for name in python3 python3.13 python3.12 python3.11; do
        if "$name" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info)' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    return 1
}

# bring_up VENV LOCK: makes VENV hold what LOCK says and this project in editable form; nothing to do when it already does.
# deploy/run and deploy/test share one VENV: lock-dev.txt only adds to lock-run.txt.
bring_up() {
    local venv=$1 lock=$2 python house
    python=$(find_python) || { apt_install python3 python3-venv && python=$(find_python); } || fail "Python 3.11 or newer is needed."
    "$python" -c 'import ensurepip, venv' 2>/dev/null || apt_install python3-venv
    house=$(cat deploy/lock-*.txt pyproject.toml <("$python" --version) <(pwd) | sha256sum)
    if [[ $(cat "$venv/house" 2>/dev/null) != "$house" ]]; then
        "$python" -m venv --clear "$venv"
        printf '%s\n' "$house" >"$venv/house"
    fi
    if [[ -e $venv/$(basename "$lock") ]]; then
        return
    fi
    printf 'Setting up %s with %s ...\n' "$venv" "$("$python" --version)" >&2
    pip_install "$venv" --only-binary :all: --require-hashes -r "$lock"
    pip_install "$venv" --no-build-isolation --no-deps --no-index -e .
    # OpenCV's window code needs these system libraries; a system without a desktop lacks them.
    "$venv/bin/python" -c 'import cv2' 2>/dev/null || apt_install libgl1 libglib2.0-0 libxcb1
    "$venv/bin/python" -c 'import cv2' || fail "OpenCV does not start; see the line above."
    cp "$lock" "$venv/"
}

DRAWING="libgl1 libegl1 libgl1-mesa-dri"

# bring_up_drawing: what Kivy draws with, where no desktop has brought it along.
bring_up_drawing() {
    # shellcheck disable=SC2086 # several packages
    has_library libEGL.so.1 && has_library libGL.so.1 || apt_install $DRAWING
}

has_library() { [[ $(/sbin/ldconfig -p) == *"$1 "* ]]; }

# bring_up_pointer: a screen that is not there, and a hand that moves a pointer on it.
bring_up_pointer() {
    { command -v Xvfb && command -v xdotool; } >/dev/null || apt_install xvfb xdotool
}

pip_install() { # pip_install VENV [pip options...]
    "$1/bin/python" -m pip install --quiet --disable-pip-version-check --no-input "${@:2}"
}
