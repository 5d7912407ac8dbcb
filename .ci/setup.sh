#!/usr/bin/env bash
# Sourced by ./check and ./quickstart: the Debian packages that Farrier needs, how they are installed, and the build.
# Works as root and as a user with sudo, on Debian 12 and later.

readonly build_packages=(
  g++ cmake ninja-build
  libeigen3-dev libtbb-dev libhdf5-dev libtorch-dev libssl-dev
  libcli11-dev libfmt-dev libspdlog-dev libtomlplusplus-dev nlohmann-json3-dev
  libgtest-dev libbenchmark-dev
)
# Tests that need these are skipped where they are missing.
readonly peer_packages=(clang-format fairy-stockfish python3 python3-h5py xboard xvfb sjeng fairymax qemu-user-static)

usage() {
  echo "usage: ${0##*/} [--no-install]"
}

# Reads the command line common to the scripts into `install` (yes or no).
parse_arguments() {
  install=yes
  local argument
  for argument in "$@"; do
    case $argument in
      --no-install) install=no ;;
      -h | --help)
        usage
        exit 0
        ;;
      *)
        usage >&2
        exit 2
        ;;
    esac
  done
}

fail() {
  echo "${0##*/}: $*" >&2
  exit 1
}

# Prints those of the given packages that dpkg does not hold; a LibTorch of one's own replaces Debian's.
missing_packages() {
  local package
  for package in "$@"; do
    if [ "$package" = libtorch-dev ] && [ -n "${CMAKE_PREFIX_PATH:-}" ]; then continue; fi
    dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || echo "$package"
  done
}

# Sets `as_root` to the words that run a command as root; fails where there are none.
find_root() {
  as_root=()
  if [ "$(id -u)" -eq 0 ]; then return 0; fi
  command -v sudo >/dev/null || return 1
  sudo -n true 2>/dev/null || [ -t 0 ] || return 1 # a password can be typed at a terminal only
  as_root=(sudo)
}

apt_install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq -y \
    --no-install-recommends install "$@"
}

# install_missing REQUIRED... -- OPTIONAL...: installs what is missing; where that is not possible, ends with the
# packages to install, or goes on if only optional ones are missing.
install_missing() {
  command -v dpkg-query >/dev/null || return 0 # not a Debian: CMake names what it does not find
  local required=() optional=() missing log
  while [ "$#" -gt 0 ] && [ "$1" != -- ]; do
    required+=("$1")
    shift
  done
  if [ "$#" -gt 0 ]; then
    shift
    optional=("$@")
  fi
  mapfile -t required < <(missing_packages "${required[@]}")
  mapfile -t optional < <(missing_packages "${optional[@]}")
  missing=("${required[@]}" "${optional[@]}")
  if [ "${#missing[@]}" -eq 0 ]; then return 0; fi

  if [ "$install" = no ] || ! find_root; then
    if [ "${#required[@]}" -gt 0 ]; then fail "install these packages first: ${missing[*]}"; fi
    echo "Not installed, so their tests are skipped: ${optional[*]}"
    return 0
  fi
  echo "Installing ${missing[*]}"
  log=$(mktemp)
  if ! apt_install "${missing[@]}" >"$log" 2>&1; then
    # The package lists may be absent or old.
    if ! { "${as_root[@]}" apt-get -qq update && apt_install "${missing[@]}"; } >"$log" 2>&1; then
      tail -n 20 "$log" >&2
      rm -f "$log"
      fail "apt-get could not install these packages: ${missing[*]}"
    fi
  fi
  rm -f "$log"
}

# One job a core, and no more than the memory holds: a LibTorch source takes some 1.5 GiB to compile.
job_count() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ {print int($2 / 1572864)}' /proc/meminfo 2>/dev/null || true)
  if [ -n "$memory" ] && [ "$memory" -lt "$cores" ]; then cores=$((memory > 1 ? memory : 1)); fi
  echo "$cores"
}

# build [TARGET...]: the release preset; all targets if none is named.
build() {
  cmake --preset release
  cmake --build --preset release --parallel "$(job_count)" ${1:+--target "$@"}
}
