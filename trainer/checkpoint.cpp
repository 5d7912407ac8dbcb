#include "trainer/checkpoint.h"

#include <algorithm>
#include <cstring>

#include <fmt/core.h>
#include <torch/torch.h>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/files.h"

namespace farrier {
namespace {

using nlohmann::json;

constexpr int kCheckpointVersion = 2;

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
  archive.write(prefix + "_feature_weights", to_tensor(net.feature_weights, torch::kFloat32));
  archive.write(prefix + "_feature_bias", to_tensor(net.feature_bias, torch::kFloat32));
  archive.write(prefix + "_output_weights", to_tensor(net.output_weights, torch::kFloat32));
  archive.write(prefix + "_output_bias", to_tensor(std::vector<float>{net.output_bias}, torch::kFloat32));
}

FloatNet read_float_net(torch::serialize::InputArchive& archive, const std::string& prefix, int inputs,
                        int hidden) {
  FloatNet net;
  net.inputs = inputs;
  net.hidden = hidden;
  net.feature_weights = read_vector<float>(archive, prefix + "_feature_weights");
  net.feature_bias = read_vector<float>(archive, prefix + "_feature_bias");
  net.output_weights = read_vector<float>(archive, prefix + "_output_weights");
  net.output_bias = read_vector<float>(archive, prefix + "_output_bias").at(0);
  const auto width = static_cast<std::size_t>(hidden);
  if (net.feature_bias.size() != width || net.output_weights.size() != 2 * width ||
      net.feature_weights.size() != static_cast<std::size_t>(inputs) * width)
    throw std::runtime_error("sizes of " + prefix);
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

AdamwState read_optimizer(torch::serialize::InputArchive& archive) {
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
  return state;
}

json describe(const Checkpoint& c) {
  const TrainProgress& p = c.progress;
  return {{"version", kCheckpointVersion},
          {"variant", variant_name(c.variant)},
          {"scale_cp", c.scale_cp},
          {"inputs", c.net.inputs},
          {"hidden", c.net.hidden},
          {"settings", c.settings},
          {"notes", c.notes},
          {"epoch", p.epoch},
          {"step", p.step},
          {"loss_sum", p.loss_sum},
          {"best_epoch", p.best_epoch},
          {"best_loss", p.best_loss},
          {"finished", p.finished},
          {"seconds", p.seconds},
          {"metrics", p.metrics}};
}

Checkpoint read_archive(const std::filesystem::path& path, AdamwState* optimizer) {
  torch::serialize::InputArchive archive;
  archive.load_from(path.string());
  c10::IValue text;
  archive.read("description", text);
  const json d = json::parse(text.toStringRef());
  if (d.at("version").get<int>() != kCheckpointVersion)
    throw std::runtime_error("another version of the format");

  Checkpoint c;
  c.variant = variant_from_name(d.at("variant").get<std::string>()).value();
  c.scale_cp = d.at("scale_cp");
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
  c.net = read_float_net(archive, "net", d.at("inputs"), d.at("hidden"));
  c.best = read_float_net(archive, "best", d.at("inputs"), d.at("hidden"));
  c.sample.indices = read_vector<FeatureIndex>(archive, "sample_indices");
  c.sample.offsets = read_vector<std::int32_t>(archive, "sample_offsets");
  c.sample.score_cp_stm = read_vector<float>(archive, "sample_score_cp_stm");
  c.sample.result_stm = read_vector<float>(archive, "sample_result_stm");
  if (optimizer != nullptr) *optimizer = read_optimizer(archive);
  return c;
}

}  // namespace

void save_checkpoint(const std::filesystem::path& path, const Checkpoint& c, const AdamwState& optimizer) {
  torch::serialize::OutputArchive archive;
  archive.write("description", c10::IValue(describe(c).dump()));
  write_net(archive, "net", c.net);
  write_net(archive, "best", c.best);
  archive.write("sample_indices", to_tensor(c.sample.indices, torch::kInt16));
  archive.write("sample_offsets", to_tensor(c.sample.offsets, torch::kInt32));
  archive.write("sample_score_cp_stm", to_tensor(c.sample.score_cp_stm, torch::kFloat32));
  archive.write("sample_result_stm", to_tensor(c.sample.result_stm, torch::kFloat32));
  write_optimizer(archive, optimizer);

  const std::filesystem::path temporary = temporary_path(path);
  try {
    archive.save_to(temporary.string());
  } catch (const std::exception&) {
    throw UserError(temporary.string(),
                    "cannot be written; check that the folder is writable and the disk not full");
  }
  publish_file(temporary, path);
}

Checkpoint load_checkpoint(const std::filesystem::path& path, AdamwState* optimizer) {
  try {
    return read_archive(path, optimizer);
  } catch (const std::exception&) {
    // LibTorch's own messages run over pages; the user needs the file and the remedy.
    throw UserError(path.string(), "is no checkpoint of this program, or damaged; remove it and train again");
  }
}

std::filesystem::path find_checkpoint(const std::filesystem::path& source) {
  namespace fs = std::filesystem;
  if (fs::is_regular_file(source)) return source;
  if (!fs::is_directory(source))
    throw UserError(source.string(),
                    "does not exist; give a checkpoint or the folder of a training or a run");
  if (fs::exists(source / kCheckpointName)) return source / kCheckpointName;
  fs::path newest;
  for (const auto& entry : fs::directory_iterator(source)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("gen-") || !entry.is_directory()) continue;
    for (const fs::path& inside : {entry.path() / kCheckpointName, entry.path() / "train" / kCheckpointName})
      if (fs::exists(inside)) newest = std::max(newest, inside);
  }
  if (newest.empty())
    throw UserError(source.string(),
                    fmt::format("holds no {}; train first with `farrier train`", kCheckpointName));
  return newest;
}

}  // namespace farrier
