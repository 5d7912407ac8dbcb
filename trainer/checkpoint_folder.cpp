#include "trainer/checkpoint_folder.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "engine/base/error.h"
#include "engine/base/files.h"

namespace farrier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEpochsKept = 3;
constexpr std::string_view kEpochPrefix = "checkpoint-epoch-";
constexpr std::string_view kSuffix = ".pt";

std::string epoch_name(int epoch) { return fmt::format("{}{:03}{}", kEpochPrefix, epoch, kSuffix); }

/// The epoch in a file's name; nothing if it names none.
std::optional<int> epoch_of(const std::string& name) {
  if (!name.starts_with(kEpochPrefix) || !name.ends_with(kSuffix)) return std::nullopt;
  const char* begin = name.data() + kEpochPrefix.size();
  const char* end = name.data() + name.size() - kSuffix.size();
  int epoch = 0;
  const auto [stop, error] = std::from_chars(begin, std::max(begin, end), epoch);
  if (error != std::errc() || stop != end) return std::nullopt;
  return epoch;
}

}  // namespace

std::vector<fs::path> CheckpointFolder::epochs() const {
  std::vector<std::pair<int, fs::path>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error))
    if (const auto epoch = epoch_of(entry.path().filename().string()))
      found.emplace_back(*epoch, entry.path());
  std::sort(found.rbegin(), found.rend());
  std::vector<fs::path> paths;
  for (auto& [epoch, path] : found) paths.push_back(std::move(path));
  return paths;
}

std::vector<fs::path> CheckpointFolder::all() const {
  std::vector<fs::path> paths = epochs();
  if (fs::exists(folder_ / kCheckpointName)) paths.insert(paths.begin(), folder_ / kCheckpointName);
  if (fs::exists(folder_ / kBestCheckpointName)) paths.push_back(folder_ / kBestCheckpointName);
  return paths;
}

std::optional<FoundCheckpoint> CheckpointFolder::load_newest(AdamwState* optimizer) const {
  const std::vector<fs::path> paths = all();
  std::string damaged;
  for (const fs::path& path : paths) {
    try {
      FoundCheckpoint found{path, load_checkpoint(path, optimizer)};
      if (!damaged.empty()) spdlog::warn("{}; taking the one before it, {}", damaged, path.string());
      return found;
    } catch (const DamagedCheckpoint& error) {
      if (damaged.empty()) damaged = error.what();
    }
  }
  if (paths.empty()) return std::nullopt;
  throw UserError(
      damaged +
      (paths.size() > 1 ? ", and so are the other checkpoints beside it" : ", and there is no other") +
      "; remove them and train again");
}

void CheckpointFolder::save(const Checkpoint& checkpoint, const AdamwState& optimizer) const {
  save_checkpoint(folder_ / kCheckpointName, checkpoint, optimizer);
}

void CheckpointFolder::save_epoch(const Checkpoint& checkpoint, const AdamwState& optimizer) const {
  const std::string bytes = serialise_checkpoint(checkpoint, optimizer);
  const TrainProgress& p = checkpoint.progress;
  // The newest goes last: killed before it, the training goes on from the one before and writes the same again.
  write_file_whole(folder_ / epoch_name(p.epoch), bytes);
  if (p.best_epoch == p.epoch) write_file_whole(folder_ / kBestCheckpointName, bytes);
  write_file_whole(folder_ / kCheckpointName, bytes);
  const std::vector<fs::path> old = epochs();
  for (std::size_t i = kEpochsKept; i < old.size(); ++i) fs::remove(old[i]);
}

FoundCheckpoint find_checkpoint(const fs::path& source) {
  if (source.extension() == ".fnn" && fs::is_regular_file(source))
    throw UserError(source.string(),
                    "is a net file already; give a checkpoint or the folder of a training or a run");
  if (fs::is_regular_file(source)) return {source, load_checkpoint(source)};
  if (!fs::is_directory(source))
    throw UserError(
        source.empty() ? "\"\"" : source.string(),
        fs::exists(source)
            ? "is neither a file nor a folder; give a checkpoint or the folder of a training or a run"
            : "does not exist; give a checkpoint or the folder of a training or a run");
  if (auto found = CheckpointFolder(source).load_newest()) return *std::move(found);
  fs::path newest;
  for (const auto& entry : fs::directory_iterator(source)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("gen-") || !entry.is_directory()) continue;
    for (const fs::path& inside : {entry.path(), entry.path() / "train"})
      if (!CheckpointFolder(inside).all().empty()) newest = std::max(newest, inside);
  }
  if (newest.empty())
    throw UserError(source.string(),
                    fmt::format("holds no {}; train first with `farrier train`", kCheckpointName));
  return CheckpointFolder(newest).load_newest().value();
}

}  // namespace farrier
