// TensorBoard's event files: scalars over steps, so that its plots can be had beside metrics.jsonl. The format is a row of
// TFRecords (length, masked CRC-32C, payload, masked CRC-32C), each holding one Event message of Protocol Buffers. Of
// those we need five fields, which are written by hand: libprotobuf would need TensorFlow's .proto files and no less code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace farrier {

/// CRC-32C (Castagnoli), as in RFC 3720.
std::uint32_t crc32c(std::string_view bytes);

double unix_seconds_now();

struct Scalar {
  std::string tag;  // "group/name": TensorBoard shows a section per group
  float value = 0;
};

/// A whole record with the scalars of one step.
std::string event_record(double unix_seconds, std::int64_t step, std::span<const Scalar> scalars);
/// The record that every event file begins with.
std::string event_file_header(double unix_seconds);

/// An event file that grows record by record. TensorBoard follows it while it grows, for which it must stay the same
/// file: so a training that goes on cuts what it wrote after its checkpoint and appends, rather than to rename a new one
/// into its place or to begin one that repeats steps of another.
class EventFile {
 public:
  /// Keeps the first `bytes` of the file and cuts the rest. If there are fewer, the file begins anew: is_new() is then
  /// true, and what it held before has to be added again. Throws UserError.
  EventFile(const std::filesystem::path& path, std::int64_t bytes);
  ~EventFile();
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;

  bool is_new() const { return is_new_; }
  /// Throws UserError if the disk is full.
  void add(double unix_seconds, std::int64_t step, std::span<const Scalar> scalars);
  /// Makes all of it durable and returns its length, to be kept in a checkpoint.
  std::int64_t sync();

 private:
  explicit EventFile(const std::filesystem::path& path);
  void write(std::string_view bytes);
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  int file_ = -1;
  std::int64_t bytes_ = 0;
  bool is_new_ = false;
};

/// TensorBoard takes any file whose name holds "tfevents".
inline constexpr const char* kEventFileName = "events.out.tfevents.farrier";

}  // namespace farrier
