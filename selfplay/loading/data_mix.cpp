#include "selfplay/loading/data_mix.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "selfplay/data/file_hash.h"
#include "selfplay/data/shard_set.h"

namespace farrier {
namespace {

/// A chunk of the table of games: what a reader holds at a time.
constexpr std::uint64_t kGamesPerBlock = 256;
constexpr std::size_t kShardsMixed = 8;
constexpr std::uint64_t kShareStream = 0x5A4E;

template <class T>
void shuffle(std::vector<T>& items, std::size_t first, std::size_t last, Rng& rng) {
  for (std::size_t i = last; i > first + 1; --i)
    std::swap(items[i - 1], items[first + rng.below(static_cast<std::uint32_t>(i - first))]);
}

}  // namespace

bool belongs_to_share(std::uint64_t game_seed, double share) {
  return share >= 1 || Rng(derive_seed(game_seed, kShareStream, 0)).uniform() < share;
}

DataMix::DataMix(Variant variant, const std::vector<DataSource>& sources) : variant_(variant) {
  for (const DataSource& source : sources) {
    if (!(source.weight > 0 && source.weight <= 1e6))
      throw UserError("data mix", fmt::format("weight {} is out of range; give more than 0", source.weight));
    for (const std::filesystem::path& place : source.places) {
      origin_ += (origin_.empty() ? "" : ", ") + place.string();
      add_shards(place, source.weight);
    }
  }
  refuse_copies();
}

void DataMix::add_shards(const std::filesystem::path& place, double weight) {
  for (const std::filesystem::path& path : shard_paths(place)) {
    Shard shard;
    shard.path = path;
    shard.weight = weight;
    shard.games = open_shard(path, variant_).games();
    shard.bytes = std::filesystem::file_size(path);
    shard.written = std::filesystem::last_write_time(path);
    shards_.push_back(std::move(shard));
  }
}

/// Games shall not count twice by mistake; who wants it gives a weight. Only files of one size can be copies, and hardly
/// two others are of one size.
void DataMix::refuse_copies() const {
  std::map<std::pair<std::uintmax_t, std::uint64_t>, std::vector<const Shard*>> alike;
  for (const Shard& shard : shards_) alike[{shard.bytes, shard.games}].push_back(&shard);
  for (const auto& [size, shards] : alike) {
    if (shards.size() == 1) continue;
    std::map<std::string, const Shard*> by_hash;
    for (const Shard* shard : shards) {
      const auto [same, is_new] = by_hash.emplace(sha256_of_file(shard->path), shard);
      if (!is_new)
        throw UserError(shard->path.string(),
                        fmt::format("holds the same games as {}, which are also given; leave one of them out",
                                    same->second->path.string()));
    }
  }
}

GameReader DataMix::open(std::uint32_t number) const {
  const Shard& shard = shards_[number];
  GameReader reader = open_shard(shard.path, variant_);
  std::error_code error;
  if (std::filesystem::file_size(shard.path, error) != shard.bytes ||
      std::filesystem::last_write_time(shard.path, error) != shard.written)
    throw UserError(
        shard.path.string(),
        "was changed while it was in use; leave data alone until the program has ended, and start again");
  return reader;
}

void DataMix::add_blocks(std::uint32_t shard, std::vector<DataBlock>& blocks) const {
  const Shard& s = shards_[shard];
  const double whole = std::floor(s.weight);
  for (double copy = 0; copy < std::ceil(s.weight); ++copy) {
    const double share = copy < whole ? 1 : s.weight - whole;
    for (std::uint64_t first = 0; first < s.games; first += kGamesPerBlock)
      blocks.push_back(
          {shard, static_cast<std::uint32_t>(std::min(kGamesPerBlock, s.games - first)), first, share});
  }
}

std::vector<DataBlock> DataMix::blocks() const {
  std::vector<DataBlock> all;
  for (std::uint32_t shard = 0; shard < shards_.size(); ++shard) add_blocks(shard, all);
  return all;
}

std::vector<DataBlock> DataMix::shuffled_blocks(std::uint64_t seed) const {
  Rng rng(seed);
  std::vector<std::uint32_t> order(shards_.size());
  std::iota(order.begin(), order.end(), 0U);
  shuffle(order, 0, order.size(), rng);
  std::vector<DataBlock> all;
  for (std::size_t i = 0; i < order.size(); i += kShardsMixed) {
    const std::size_t first = all.size();
    for (std::size_t j = i; j < std::min(i + kShardsMixed, order.size()); ++j) add_blocks(order[j], all);
    shuffle(all, first, all.size(), rng);
  }
  return all;
}

}  // namespace farrier
