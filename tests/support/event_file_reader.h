// Reads TensorBoard's event files by the letter of their formats, sharing no code with what writes them.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace farrier {

struct ReadEvent {
  double wall_time = 0;
  std::int64_t step = 0;
  std::string file_version;
  std::map<std::string, float> scalars;
};

/// Bit by bit, the polynomial 0x1EDC6F41 with reflected input and output.
inline std::uint32_t crc32c_bit_by_bit(const std::string& bytes) {
  std::uint32_t remainder = 0xFFFFFFFF;
  for (char c : bytes)
    for (int bit = 0; bit < 8; ++bit) {
      const bool in = ((static_cast<unsigned char>(c) >> bit) & 1) != 0;
      const bool top = (remainder >> 31) != 0;
      remainder <<= 1;
      if (in != top) remainder ^= 0x1EDC6F41;
    }
  std::uint32_t reflected = 0;
  for (int bit = 0; bit < 32; ++bit) reflected |= ((remainder >> bit) & 1) << (31 - bit);
  return ~reflected;
}

class EventFileReader {
 public:
  /// Throws std::runtime_error for anything that is not in the formats.
  static std::vector<ReadEvent> read(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    EventFileReader reader{bytes};
    std::vector<ReadEvent> events;
    while (reader.at_ < bytes.size()) events.push_back(event(reader.record()));
    return events;
  }

 private:
  explicit EventFileReader(const std::string& bytes) : bytes_(bytes) {}

  std::string take(std::size_t n) {
    if (n > bytes_.size() - at_) throw std::runtime_error("the file ends within a record");
    at_ += n;
    return bytes_.substr(at_ - n, n);
  }

  template <class T>
  T take_number() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }

  std::uint64_t take_varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    throw std::runtime_error("a number without an end");
  }

  static void check(const std::string& bytes, std::uint32_t masked) {
    const std::uint32_t rotated = masked - 0xA282EAD8U;
    if (crc32c_bit_by_bit(bytes) != ((rotated >> 17) | (rotated << 15)))
      throw std::runtime_error("wrong CRC");
  }

  std::string record() {
    const std::string length = take(8);
    check(length, take_number<std::uint32_t>());
    std::uint64_t size = 0;
    std::memcpy(&size, length.data(), 8);
    std::string payload = take(size);
    check(payload, take_number<std::uint32_t>());
    return payload;
  }

  template <class TakeField>
  static void fields(const std::string& message, TakeField&& take_field) {
    EventFileReader reader(message);
    while (reader.at_ < message.size()) {
      const std::uint64_t key = reader.take_varint();
      take_field(reader, static_cast<int>(key >> 3), static_cast<int>(key & 7));
    }
  }

  static void expect(bool as_told) {
    if (!as_told)
      throw std::runtime_error("a field that event.proto and summary.proto do not have like this");
  }

  static ReadEvent event(const std::string& message) {
    ReadEvent event;
    fields(message, [&](EventFileReader& r, int field, int wire) {
      expect((field == 1 && wire == 1) || (field == 2 && wire == 0) ||
             ((field == 3 || field == 5) && wire == 2));
      if (field == 1) event.wall_time = r.take_number<double>();
      if (field == 2) event.step = static_cast<std::int64_t>(r.take_varint());
      if (field == 3) event.file_version = r.take(r.take_varint());
      if (field == 5)
        fields(r.take(r.take_varint()), [&](EventFileReader& summary, int value_field, int value_wire) {
          expect(value_field == 1 && value_wire == 2);
          value(summary.take(summary.take_varint()), event);
        });
    });
    return event;
  }

  static void value(const std::string& message, ReadEvent& event) {
    std::string tag;
    float number = 0;
    fields(message, [&](EventFileReader& r, int field, int wire) {
      expect((field == 1 && wire == 2) || (field == 2 && wire == 5));
      if (field == 1) tag = r.take(r.take_varint());
      if (field == 2) number = r.take_number<float>();
    });
    event.scalars[tag] = number;
  }

  const std::string& bytes_;
  std::size_t at_ = 0;
};

}  // namespace farrier
