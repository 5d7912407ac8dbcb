#include "engine/nnue/net_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

#include "engine/base/files.h"
#include "engine/nnue/architecture.h"
#include "engine/nnue/features.h"
#include "engine/nnue/overflow.h"

namespace farrier {
namespace {

static_assert(std::endian::native == std::endian::little,
              "net files are little-endian and copied as they are");

constexpr std::string_view kMagic = "FARRIER\n";
constexpr std::size_t kMaxDescription = 1 << 20;

std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t h = 0xCBF29CE484222325ULL;
  for (char c : bytes) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return h;
}

template <class T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void append(std::string& out, const Weights& values) {
  out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
}

/// Reads fields from the front of the file's bytes.
class Cursor {
 public:
  Cursor(std::string_view bytes, const std::string& origin) : rest_(bytes), origin_(origin) {}

  std::string_view take(std::size_t n) {
    if (n > rest_.size()) throw UserError(origin_, "the net file is cut short; fetch or export it again");
    const std::string_view front = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return front;
  }
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  Weights weights(std::size_t n) {
    Weights values(n);
    std::memcpy(values.data(), take(n * sizeof(values[0])).data(), n * sizeof(values[0]));
    return values;
  }
  std::size_t remaining() const { return rest_.size(); }

 private:
  std::string_view rest_;
  const std::string& origin_;
};

std::map<std::string, std::string> parse_description(std::string_view text, const std::string& origin) {
  std::map<std::string, std::string> entries;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos)
      throw UserError(origin, "the net's description has a line that is not 'key: value'; export it again");
    entries[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return entries;
}

std::string take_entry(std::map<std::string, std::string>& entries, const char* key,
                       const std::string& origin) {
  const auto found = entries.find(key);
  if (found == entries.end())
    throw UserError(origin, std::string("the net's description lacks '") + key + "'; export it again");
  std::string value = found->second;
  entries.erase(found);
  return value;
}

int take_int(std::map<std::string, std::string>& entries, const char* key, const std::string& origin) {
  const std::string text = take_entry(entries, key, origin);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw UserError(origin, std::string("the net's '") + key + "' is no number: '" + text + "'");
  return value;
}

void read_shape(std::map<std::string, std::string>& entries, Net& net, const std::string& origin) {
  const std::string variant = take_entry(entries, "variant", origin);
  const std::optional<Variant> known = variant_from_name(variant);
  if (!known)
    throw UserError(origin, "the net is for variant '" + variant + "'; this version knows " +
                                std::string(variant_names()));
  net.variant = *known;
  if (take_entry(entries, "feature_set", origin) != std::to_string(feature_set_hash(net.variant)) ||
      take_int(entries, "inputs", origin) != feature_count(net.variant))
    throw UserError(origin,
                    "the net numbers its inputs otherwise than this version; export it with this version");
  net.hidden = take_int(entries, "hidden", origin);
  if (std::find(kHiddenWidths.begin(), kHiddenWidths.end(), net.hidden) == kHiddenWidths.end())
    throw UserError(origin, "the net's hidden width " + std::to_string(net.hidden) +
                                " is not one that this version plays");
  net.scale_cp = take_int(entries, "scale_cp", origin);
  if (net.scale_cp < 1 || net.scale_cp > 10000)
    throw UserError(origin,
                    "the net's scale of " + std::to_string(net.scale_cp) + " cp is not within 1 to 10000");
}

}  // namespace

Net parse_net(const std::string& bytes, const std::string& origin) {
  Cursor cursor(bytes, origin);
  if (bytes.substr(0, kMagic.size()) != kMagic)
    throw UserError(origin, "this is not a Farrier net (.fnn); give a file that 'farrier export' wrote");
  cursor.take(kMagic.size());
  const auto version = cursor.number<std::uint32_t>();
  if (version != kNetFormatVersion)
    throw UserError(origin, "the net has format version " + std::to_string(version) +
                                ", this program reads version " + std::to_string(kNetFormatVersion) +
                                "; use the Farrier that wrote it or a newer one");
  const auto length = cursor.number<std::uint32_t>();
  if (length > kMaxDescription)
    throw UserError(origin, "the net's description is damaged; fetch or export it again");

  Net net;
  net.notes = parse_description(cursor.take(length), origin);
  read_shape(net.notes, net, origin);
  const std::size_t hidden = static_cast<std::size_t>(net.hidden);
  net.feature_bias = cursor.weights(hidden);
  net.feature_weights = cursor.weights(static_cast<std::size_t>(feature_count(net.variant)) * hidden);
  net.output_weights = cursor.weights(2 * hidden);
  net.output_bias = cursor.number<std::int32_t>();
  const auto checksum = cursor.number<std::uint64_t>();
  if (cursor.remaining() > 0)
    throw UserError(origin, "the net file has " + std::to_string(cursor.remaining()) +
                                " bytes too many; fetch or export it again");
  if (checksum != fnv1a(std::string_view(bytes).substr(0, bytes.size() - sizeof(checksum))))
    throw UserError(origin, "the net's checksum is wrong, so some byte is damaged; fetch or export it again");
  const Result<int> proof = prove_no_overflow(net);
  if (!proof) throw UserError(origin, proof.reason());
  return net;
}

Net read_net(const std::filesystem::path& path) { return parse_net(read_file(path), path.string()); }

std::string serialise_net(const Net& net) {
  std::map<std::string, std::string> entries = net.notes;
  entries["variant"] = variant_name(net.variant);
  entries["feature_set"] = std::to_string(feature_set_hash(net.variant));
  entries["inputs"] = std::to_string(feature_count(net.variant));
  entries["hidden"] = std::to_string(net.hidden);
  entries["scale_cp"] = std::to_string(net.scale_cp);
  std::string description;
  for (const auto& [key, value] : entries) description += key + ": " + value + "\n";

  std::string bytes(kMagic);
  append(bytes, kNetFormatVersion);
  append(bytes, static_cast<std::uint32_t>(description.size()));
  bytes += description;
  append(bytes, net.feature_bias);
  append(bytes, net.feature_weights);
  append(bytes, net.output_weights);
  append(bytes, net.output_bias);
  append(bytes, fnv1a(bytes));
  return bytes;
}

void write_net(const Net& net, const std::filesystem::path& path) {
  write_file_whole(path, serialise_net(net));
}

}  // namespace farrier
