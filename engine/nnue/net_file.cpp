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
#include "engine/nnue/features.h"
#include "engine/nnue/input_map.h"
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

/// As numbers of type T, in which they must fit.
template <class T, class Values>
void append_as(std::string& out, const Values& values) {
  for (const auto value : values) append(out, static_cast<T>(value));
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
  /// `n` numbers of type T.
  template <class T, class Values>
  void numbers(std::size_t n, Values& values) {
    const std::string_view bytes = take(n * sizeof(T));
    values.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      T value;
      std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
      values[i] = value;
    }
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
  const std::string feature_set = take_entry(entries, "feature_set", origin);
  const int inputs = take_int(entries, "inputs", origin);
  const Result<Architecture> architecture = take_architecture(entries, net.variant);
  if (!architecture)
    throw UserError(origin,
                    "the net's architecture is not one that this version plays: " + architecture.reason());
  net.architecture = *architecture;
  if (feature_set != std::to_string(feature_set_hash(net.variant)) ||
      inputs != InputMap(net.variant, net.architecture.features).rows())
    throw UserError(origin,
                    "the net numbers its inputs otherwise than this version; export it with this version");
  net.scale_cp = take_int(entries, "scale_cp", origin);
  if (net.scale_cp < Net::kLeastScaleCp || net.scale_cp > Net::kMostScaleCp)
    throw UserError(origin, "the net's scale of " + std::to_string(net.scale_cp) + " cp is not within " +
                                std::to_string(Net::kLeastScaleCp) + " to " +
                                std::to_string(Net::kMostScaleCp));
}

void read_weights(Cursor& cursor, std::uint32_t version, Net& net) {
  const Architecture& a = net.architecture;
  const std::size_t hidden = static_cast<std::size_t>(a.hidden);
  const auto rows = static_cast<std::size_t>(InputMap(net.variant, a.features).rows());
  cursor.numbers<std::int16_t>(hidden, net.feature_bias);
  cursor.numbers<std::int16_t>(rows * hidden, net.feature_weights);
  for (int k = 0; k < a.dense_layers(); ++k) {
    DenseLayer& layer = net.layers.emplace_back();
    layer.inputs = a.layer_inputs(k);
    layer.outputs = a.layer_outputs(k);
    const auto outputs = static_cast<std::size_t>(a.output_buckets() * layer.outputs);
    const std::size_t weights = outputs * static_cast<std::size_t>(layer.inputs);
    if (version == 1) {
      cursor.numbers<std::int16_t>(weights, layer.weights);
    } else {
      cursor.numbers<std::int8_t>(weights, layer.weights);
    }
    cursor.numbers<std::int32_t>(outputs, layer.bias);
  }
}

/// By names of kShapeNames.
std::map<std::string, std::string> shape_entries(const Net& net) {
  std::map<std::string, std::string> entries = architecture_entries(net.architecture);
  entries["variant"] = variant_name(net.variant);
  entries["feature_set"] = std::to_string(feature_set_hash(net.variant));
  entries["inputs"] = std::to_string(InputMap(net.variant, net.architecture.features).rows());
  entries["scale_cp"] = std::to_string(net.scale_cp);
  return entries;
}

}  // namespace

Net parse_net(const std::string& bytes, const std::string& origin) {
  Cursor cursor(bytes, origin);
  if (bytes.substr(0, kMagic.size()) != kMagic)
    throw UserError(origin, "this is not a Farrier net (.fnn); give a file that 'farrier export' wrote");
  cursor.take(kMagic.size());
  const auto version = cursor.number<std::uint32_t>();
  if (version < 1 || version > kNetFormatVersion)
    throw UserError(origin, "the net has format version " + std::to_string(version) +
                                ", this program reads versions 1 to " + std::to_string(kNetFormatVersion) +
                                "; use the Farrier that wrote it or a newer one");
  const auto length = cursor.number<std::uint32_t>();
  if (length > kMaxDescription)
    throw UserError(origin, "the net's description is damaged; fetch or export it again");

  Net net;
  net.notes = parse_description(cursor.take(length), origin);
  read_shape(net.notes, net, origin);
  read_weights(cursor, version, net);
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
  std::map<std::string, std::string> entries = shape_entries(net);
  entries.insert(net.notes.begin(), net.notes.end());
  std::string description;
  for (const auto& [key, value] : entries) description += key + ": " + value + "\n";

  std::string bytes(kMagic);
  append(bytes, kNetFormatVersion);
  append(bytes, static_cast<std::uint32_t>(description.size()));
  bytes += description;
  append_as<std::int16_t>(bytes, net.feature_bias);
  append_as<std::int16_t>(bytes, net.feature_weights);
  for (const DenseLayer& layer : net.layers) {
    append_as<std::int8_t>(bytes, layer.weights);
    append_as<std::int32_t>(bytes, layer.bias);
  }
  append(bytes, fnv1a(bytes));
  return bytes;
}

void write_net(const Net& net, const std::filesystem::path& path) {
  write_file_whole(path, serialise_net(net));
}

}  // namespace farrier
