#include "trainer/tensorboard_events.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <fmt/core.h>

#include "engine/base/error.h"

namespace farrier {
namespace {

constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  constexpr std::uint32_t kCastagnoli = 0x82F63B78;  // its bits reversed
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) * kCastagnoli);
    table[byte] = rest;
  }
  return table;
}();

/// The CRC of bytes that hold CRCs themselves says little: so records carry it rotated and shifted.
std::uint32_t masked_crc(std::string_view bytes) { return std::rotr(crc32c(bytes), 15) + 0xA282EAD8U; }

template <class T>
std::string little_endian(T value) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xFF);
  return bytes;
}

std::string record(std::string_view payload) {
  const std::string length = little_endian(static_cast<std::uint64_t>(payload.size()));
  std::string out = length + little_endian(masked_crc(length));
  out += payload;
  return out + little_endian(masked_crc(payload));
}

/// Protocol Buffers' base-128 numbers.
std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7F) | 0x80);
  return bytes + static_cast<char>(value);
}

enum class Wire : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

std::string key(int field, Wire wire) {
  return varint(static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(wire));
}

std::string field(int number, double value) {
  return key(number, Wire::Fixed64) + little_endian(std::bit_cast<std::uint64_t>(value));
}
std::string field(int number, float value) {
  return key(number, Wire::Fixed32) + little_endian(std::bit_cast<std::uint32_t>(value));
}
std::string field(int number, std::int64_t value) {
  return key(number, Wire::Varint) + varint(static_cast<std::uint64_t>(value));
}
std::string field(int number, std::string_view bytes) {
  return key(number, Wire::Bytes) + varint(bytes.size()) + std::string(bytes);
}

// Field numbers of TensorFlow's event.proto and summary.proto.
constexpr int kEventWallTime = 1;
constexpr int kEventStep = 2;
constexpr int kEventFileVersion = 3;
constexpr int kEventSummary = 5;
constexpr int kSummaryValue = 1;
constexpr int kValueTag = 1;
constexpr int kValueSimple = 2;

}  // namespace

double unix_seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (char c : bytes) crc = kCrcTable[(crc ^ static_cast<unsigned char>(c)) & 0xFF] ^ (crc >> 8);
  return ~crc;
}

std::string event_record(double unix_seconds, std::int64_t step, std::span<const Scalar> scalars) {
  std::string summary;
  for (const Scalar& s : scalars)
    summary += field(kSummaryValue, field(kValueTag, std::string_view(s.tag)) + field(kValueSimple, s.value));
  return record(field(kEventWallTime, unix_seconds) + field(kEventStep, step) +
                field(kEventSummary, std::string_view(summary)));
}

std::string event_file_header(double unix_seconds) {
  return record(field(kEventWallTime, unix_seconds) +
                field(kEventFileVersion, std::string_view("brain.Event:2")));
}

EventFile::EventFile(const std::filesystem::path& path) : path_(path) {
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (file_ < 0) fail();
}

EventFile::EventFile(const std::filesystem::path& path, std::int64_t bytes) : EventFile(path) {
  is_new_ = bytes <= 0 || ::lseek(file_, 0, SEEK_END) < bytes;
  bytes_ = is_new_ ? 0 : bytes;
  if (::ftruncate(file_, bytes_) != 0 || ::lseek(file_, bytes_, SEEK_SET) < 0) fail();
  if (is_new_) write(event_file_header(unix_seconds_now()));
}

EventFile::~EventFile() {
  if (file_ >= 0) ::close(file_);
}

void EventFile::fail() const {
  throw UserError(
      path_.string(),
      fmt::format("cannot be written ({}); make room, or look at the folder's rights", std::strerror(errno)));
}

void EventFile::add(double unix_seconds, std::int64_t step, std::span<const Scalar> scalars) {
  write(event_record(unix_seconds, step, scalars));
}

std::int64_t EventFile::sync() {
  if (::fsync(file_) != 0) fail();
  return bytes_;
}

void EventFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    bytes_ += written;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace farrier
