#include "trainer/checkpoint.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include <fmt/core.h>
#include <torch/torch.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/nnue/input_map.h"
#include "engine/nnue/net_file.h"
#include "selfplay/data/file_hash.h"

namespace farrier {
namespace {

using nlohmann::json;

constexpr int kCheckpointVersion = 3;
constexpr std::string_view kSumMark = "\nsha256 ";
constexpr std::size_t kSumLength = 64;

struct AnotherVersion {};

template <class T>
torch::Tensor to_tensor(const std::vector<T>& values, torch::ScalarType type) {
  torch::Tensor t = torch::empty({static_cast<std::int64_t>(values.size())}, type);
  std::memcpy(t.data_ptr(), values.data(), values.size() * sizeof(T));
  return t;
}

template <class T>
std::vector<T> read_vector(torch::serialize::InputArchive& archive, const std::string& key) {
  torch::Tensor t;
  archive.read(key, t);
  if (t.element_size() != sizeof(T)) throw std::runtime_error("element size of " + key);
  std::vector<T> values(static_cast<std::size_t>(t.numel()));
  std::memcpy(values.data(), t.contiguous().data_ptr(), values.size() * sizeof(T));
  return values;
}

void write_net(torch::serialize::OutputArchive& archive, const std::string& prefix, const FloatNet& net) {
  const auto write = [&](const std::string& name, const std::vector<float>& values) {
    archive.write(prefix + "_" + name, to_tensor(values, torch::kFloat32));
  };
  write("feature_weights", net.feature_weights);
  write("shared_weights", net.shared_weights);
  write("feature_bias", net.feature_bias);
  for (std::size_t k = 0; k < net.layers.size(); ++k) {
    write(fmt::format("layer{}_weights", k), net.layers[k].weights);
    write(fmt::format("layer{}_bias", k), net.layers[k].bias);
  }
}

FloatNet read_float_net(torch::serialize::InputArchive& archive, const std::string& prefix, Variant variant,
                        const Architecture& architecture) {
  const InputMap map(variant, architecture.features);
  const auto read = [&](const std::string& name, int size) {
    std::vector<float> values = read_vector<float>(archive, prefix + "_" + name);
    if (values.size() != static_cast<std::size_t>(size)) throw std::runtime_error("size of " + name);
    if (!std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); }))
      throw std::runtime_error("a value of " + name);
    return values;
  };
  FloatNet net;
  net.architecture = architecture;
  net.rows = map.rows();
  net.rows_per_bucket = map.rows_per_bucket();
  net.feature_weights = read("feature_weights", net.rows * architecture.hidden);
  net.shared_weights =
      read("shared_weights", map.buckets() > 1 ? net.rows_per_bucket * architecture.hidden : 0);
  net.feature_bias = read("feature_bias", architecture.hidden);
  for (int k = 0; k < architecture.dense_layers(); ++k) {
    FloatLayer layer;
    layer.inputs = architecture.layer_inputs(k);
    layer.outputs = architecture.layer_outputs(k);
    const int outputs = architecture.output_buckets() * layer.outputs;
    layer.weights = read(fmt::format("layer{}_weights", k), outputs * layer.inputs);
    layer.bias = read(fmt::format("layer{}_bias", k), outputs);
    net.layers.push_back(std::move(layer));
  }
  return net;
}

/// The moments of all parameters, one after the other, and where each ends.
void write_optimizer(torch::serialize::OutputArchive& archive, const AdamwState& state) {
  std::vector<float> first, second;
  std::vector<std::int64_t> ends;
  for (const Moments& moments : state.moments) {
    first.insert(first.end(), moments.first.begin(), moments.first.end());
    second.insert(second.end(), moments.second.begin(), moments.second.end());
    ends.push_back(static_cast<std::int64_t>(first.size()));
  }
  archive.write("optimizer_first", to_tensor(first, torch::kFloat32));
  archive.write("optimizer_second", to_tensor(second, torch::kFloat32));
  archive.write("optimizer_ends", to_tensor(ends, torch::kInt64));
  archive.write("optimizer_steps", to_tensor(std::vector<std::int64_t>{state.steps}, torch::kInt64));
}

/// The numbers of `net`, each of which an optimiser has its moments of.
std::size_t count_numbers(const FloatNet& net) {
  std::size_t count = net.feature_weights.size() + net.shared_weights.size() + net.feature_bias.size();
  for (const FloatLayer& layer : net.layers) count += layer.weights.size() + layer.bias.size();
  return count;
}

AdamwState read_optimizer(torch::serialize::InputArchive& archive, const FloatNet& net) {
  const auto first = read_vector<float>(archive, "optimizer_first");
  const auto second = read_vector<float>(archive, "optimizer_second");
  if (first.size() != second.size()) throw std::runtime_error("sizes of the optimiser");
  AdamwState state;
  state.steps = read_vector<std::int64_t>(archive, "optimizer_steps").at(0);
  auto begin = std::ptrdiff_t{0};
  for (std::int64_t end : read_vector<std::int64_t>(archive, "optimizer_ends")) {
    if (end < begin || end > std::ssize(first)) throw std::runtime_error("sizes of the optimiser");
    state.moments.push_back(
        {{first.begin() + begin, first.begin() + end}, {second.begin() + begin, second.begin() + end}});
    begin = end;
  }
  // Before the first step there are none.
  if (begin != std::ssize(first) || state.steps < 0 ||
      (state.steps > 0 && first.size() != count_numbers(net)))
    throw std::runtime_error("sizes of the optimiser");
  return state;
}

json describe(const Checkpoint& c) {
  const TrainProgress& p = c.progress;
  return {{"version", kCheckpointVersion},
          {"variant", variant_name(c.variant)},
          {"scale_cp", c.scale_cp},
          {"architecture", architecture_entries(c.net.architecture)},
          {"settings", c.settings},
          {"notes", c.notes},
          {"epoch", p.epoch},
          {"step", p.step},
          {"loss_sum", p.loss_sum},
          {"best_epoch", p.best_epoch},
          {"best_loss", p.best_loss},
          {"finished", p.finished},
          {"seconds", p.seconds},
          {"metrics", p.metrics},
          {"event_bytes", p.event_bytes}};
}

/// Export counts on the sample's rows being the net's.
void require_whole(const SparseBatch& sample, const FloatNet& net) {
  const auto& offsets = sample.offsets;
  const auto& indices = sample.indices;
  const std::size_t buckets = net.architecture.output_buckets() > 1 ? sample.size() : 0;
  const bool whole =
      offsets.size() == 2 * sample.size() + 1 && sample.result_stm.size() == sample.size() &&
      offsets.front() == 0 && offsets.back() == std::ssize(indices) &&
      std::is_sorted(offsets.begin(), offsets.end()) && sample.buckets.size() == buckets &&
      std::all_of(indices.begin(), indices.end(), [&](FeatureIndex i) { return i < net.rows; });
  if (!whole) throw std::runtime_error("the sample");
}

Checkpoint read_archive(std::string_view bytes, AdamwState* optimizer) {
  torch::serialize::InputArchive archive;
  archive.load_from(bytes.data(), bytes.size());
  c10::IValue text;
  archive.read("description", text);
  const json d = json::parse(text.toStringRef());
  if (d.at("version").get<int>() != kCheckpointVersion) throw AnotherVersion();

  Checkpoint c;
  c.variant = variant_from_name(d.at("variant").get<std::string>()).value();
  c.scale_cp = d.at("scale_cp");
  if (c.scale_cp < Net::kLeastScaleCp || c.scale_cp > Net::kMostScaleCp) throw std::runtime_error("scale");
  c.settings = d.at("settings");
  c.notes = d.at("notes").get<std::map<std::string, std::string>>();
  c.progress.epoch = d.at("epoch");
  c.progress.step = d.at("step");
  c.progress.loss_sum = d.at("loss_sum");
  c.progress.best_epoch = d.at("best_epoch");
  c.progress.best_loss = d.at("best_loss");
  c.progress.finished = d.at("finished");
  c.progress.seconds = d.at("seconds");
  c.progress.metrics = d.at("metrics").get<std::vector<std::string>>();
  c.progress.event_bytes = d.value("event_bytes", std::int64_t{0});
  auto entries = d.at("architecture").get<std::map<std::string, std::string>>();
  const Architecture architecture = take_architecture(entries, c.variant).value_or_throw("architecture");
  c.net = read_float_net(archive, "net", c.variant, architecture);
  c.best = read_float_net(archive, "best", c.variant, architecture);
  c.sample.indices = read_vector<FeatureIndex>(archive, "sample_indices");
  c.sample.offsets = read_vector<std::int32_t>(archive, "sample_offsets");
  c.sample.buckets = read_vector<std::uint8_t>(archive, "sample_buckets");
  c.sample.score_cp_stm = read_vector<float>(archive, "sample_score_cp_stm");
  c.sample.result_stm = read_vector<float>(archive, "sample_result_stm");
  require_whole(c.sample, c.net);
  if (optimizer != nullptr) *optimizer = read_optimizer(archive, c.net);
  return c;
}

}  // namespace

std::string serialise_checkpoint(const Checkpoint& c, const AdamwState& optimizer) {
  torch::serialize::OutputArchive archive;
  archive.write("description", c10::IValue(describe(c).dump()));
  write_net(archive, "net", c.net);
  write_net(archive, "best", c.best);
  archive.write("sample_indices", to_tensor(c.sample.indices, torch::kInt16));
  archive.write("sample_offsets", to_tensor(c.sample.offsets, torch::kInt32));
  archive.write("sample_buckets", to_tensor(c.sample.buckets, torch::kUInt8));
  archive.write("sample_score_cp_stm", to_tensor(c.sample.score_cp_stm, torch::kFloat32));
  archive.write("sample_result_stm", to_tensor(c.sample.result_stm, torch::kFloat32));
  write_optimizer(archive, optimizer);

  std::ostringstream out;
  archive.save_to(out);
  std::string bytes = std::move(out).str();
  const std::string sum = sha256_hex(bytes);
  return bytes.append(kSumMark).append(sum);
}

void save_checkpoint(const std::filesystem::path& path, const Checkpoint& c, const AdamwState& optimizer) {
  write_file_whole(path, serialise_checkpoint(c, optimizer));
}

Checkpoint load_checkpoint(const std::filesystem::path& path, AdamwState* optimizer) {
  const std::string bytes = read_file(path);
  const std::size_t trailer = kSumMark.size() + kSumLength;
  std::string_view archive(bytes);
  archive.remove_suffix(std::min(trailer, archive.size()));
  if (std::string_view(bytes).substr(archive.size()) != std::string(kSumMark) + sha256_hex(archive))
    throw DamagedCheckpoint(path.string(), "is damaged, or no checkpoint of this version of Farrier");
  try {
    return read_archive(archive, optimizer);
  } catch (const AnotherVersion&) {
    throw UserError(
        path.string(),
        "was written by another version of Farrier; go on with that one, or train again in another folder");
  } catch (const std::exception&) {
    // LibTorch's own messages run over pages; the user needs the file and the remedy.
    throw DamagedCheckpoint(path.string(), "holds other contents than a checkpoint of Farrier");
  }
}

}  // namespace farrier
