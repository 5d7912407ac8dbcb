#include "selfplay/loading/kept_positions.h"

#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "engine/base/error.h"

namespace farrier {
namespace {

std::size_t bytes_of(const std::vector<PackedPosition>& positions) {
  return positions.size() * sizeof(PackedPosition);
}

/// -1 if the folder takes none.
int open_nameless(const std::filesystem::path& folder) {
  if (const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); file >= 0) return file;
  // Not every file system knows that.
  std::string name = (folder / "positions-XXXXXX").string();
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) unlink(name.c_str());
  return file;
}

}  // namespace

KeptPositions::KeptPositions(const PositionFilters& filters, const GameSplit& split, std::size_t most_bytes,
                             const std::filesystem::path& folder)
    : filters_(filters),
      split_(split),
      most_in_memory_(most_bytes),
      folder_(folder),
      may_write_(!folder.empty()) {}

KeptPositions::~KeptPositions() {
  if (file_ >= 0) close(file_);
}

void KeptPositions::offer(const DataBlock& block, const std::shared_ptr<const PackedBlock>& packed) {
  Place place;
  place.training = packed->training.counts;
  place.validation = packed->validation.counts;
  const std::size_t training_bytes = bytes_of(packed->training.positions);
  const std::size_t bytes = training_bytes + bytes_of(packed->validation.positions);
  {
    const std::lock_guard lock(mutex_);
    // A block of a weight beyond 1 comes more than once, and even at once.
    if (!offered_.insert(key_of(block)).second) return;
    if (in_memory_ + bytes <= most_in_memory_) {
      in_memory_ += bytes;
      place.in_memory = packed;
      places_.emplace(key_of(block), std::move(place));
      return;
    }
  }
  const auto start = reserve_in_file(bytes);
  const bool written = start && write(packed->training.positions, *start) &&
                       write(packed->validation.positions, *start + training_bytes);
  const std::lock_guard lock(mutex_);
  if (start && !written) give_file_up();
  if (!written || !may_write_) {
    has_all_ = false;
    return;
  }
  place.file_start = *start;
  places_.emplace(key_of(block), std::move(place));
}

std::optional<std::uint64_t> KeptPositions::reserve_in_file(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (!may_write_) return std::nullopt;
  std::error_code error;
  const auto space = std::filesystem::space(folder_, error);
  if (error || space.available < in_file_ + 2 * bytes) return std::nullopt;
  if (file_ < 0) file_ = open_nameless(folder_);
  if (file_ < 0) {
    may_write_ = false;
    return std::nullopt;
  }
  return std::exchange(in_file_, in_file_ + bytes);
}

bool KeptPositions::write(const std::vector<PackedPosition>& positions, std::uint64_t start) const {
  const char* next = reinterpret_cast<const char*>(positions.data());
  for (std::size_t left = bytes_of(positions); left > 0;) {
    const ssize_t written = pwrite(file_, next, left, static_cast<off_t>(start));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    next += written;
    start += static_cast<std::uint64_t>(written);
    left -= static_cast<std::size_t>(written);
  }
  return true;
}

void KeptPositions::give_file_up() {
  may_write_ = false;
  std::erase_if(places_, [](const auto& entry) { return entry.second.in_memory == nullptr; });
  in_file_ = 0;
  std::ignore = ftruncate(file_, 0);
}

bool KeptPositions::has(const DataBlock& block) const {
  const std::lock_guard lock(mutex_);
  return places_.contains(key_of(block));
}

KeptPositions::Place KeptPositions::place_of(const DataBlock& block) const {
  const std::lock_guard lock(mutex_);
  return places_.at(key_of(block));
}

FilteredPointer KeptPositions::load(const DataBlock& block, DataPart part) const {
  assert(part != DataPart::All);
  const bool training = part == DataPart::Training;
  const Place place = place_of(block);
  if (const auto& packed = place.in_memory)
    return {packed, training ? &packed->training : &packed->validation};

  auto loaded = std::make_shared<FilteredPositions<PackedPosition>>();
  loaded->counts = training ? place.training : place.validation;
  loaded->positions.resize(static_cast<std::size_t>(loaded->counts.kept));
  auto start = static_cast<off_t>(place.file_start);
  if (!training)
    start += static_cast<off_t>(place.training.kept) * static_cast<off_t>(sizeof(PackedPosition));
  char* next = reinterpret_cast<char*>(loaded->positions.data());
  for (std::size_t left = bytes_of(loaded->positions); left > 0;) {
    const ssize_t got = pread(file_, next, left, start);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      throw UserError(folder_.string(),
                      std::string("cannot read back the positions that were put aside there (") +
                          (got < 0 ? std::strerror(errno) : "the file is cut") +
                          "); see to its disk and start again");
    next += got;
    start += got;
    left -= static_cast<std::size_t>(got);
  }
  return loaded;
}

bool KeptPositions::has_all() const {
  const std::lock_guard lock(mutex_);
  return has_all_;
}

std::size_t KeptPositions::bytes_in_memory() const {
  const std::lock_guard lock(mutex_);
  return in_memory_;
}

std::size_t KeptPositions::bytes_in_file() const {
  const std::lock_guard lock(mutex_);
  return in_file_;
}

}  // namespace farrier
