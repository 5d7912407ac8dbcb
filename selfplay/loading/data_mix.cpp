#include "selfplay/loading/data_mix.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/rng.h"
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

DataMix::DataMix(Variant variant, const std::vector<DataSource>& sources, std::size_t cache_bytes)
    : variant_(variant), cache_(std::make_shared<GameCache>(cache_bytes)) {
  for (const DataSource& source : sources) {
    if (!(source.weight > 0 && source.weight <= 1e6))
      throw UserError("data mix", fmt::format("weight {} is out of range; give more than 0", source.weight));
    for (const std::filesystem::path& place : source.places) {
      origin_ += (origin_.empty() ? "" : ", ") + place.string();
      for (std::filesystem::path& path : shard_paths(place)) {
        const std::uint64_t games = open_shard(path, variant).games();
        shards_.push_back({std::move(path), games, source.weight});
      }
    }
  }
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
