#include "selfplay/loading/position_stream.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "engine/chess/fen.h"
#include "engine/chess/make_move.h"
#include "engine/variants/dispatch.h"
#include "selfplay/loading/playable.h"

namespace farrier {
namespace {

constexpr std::uint64_t kOrderStream = 0xB10C;
constexpr std::uint64_t kBufferStream = 0xBA7C4;

// `Item` is a PackedPosition or a TracedPosition, here and below.
template <class Item>
using BlockResult = std::shared_ptr<const FilteredPositions<Item>>;

PackedPosition& packed(PackedPosition& item) { return item; }
PackedPosition& packed(TracedPosition& item) { return item.position; }

void set_origin(PackedPosition&, std::uint32_t, const GameRecord&, std::size_t) {}
void set_origin(TracedPosition& item, std::uint32_t shard, const GameRecord& game, std::size_t ply) {
  item.shard = shard;
  item.ply = static_cast<std::uint32_t>(ply);
  item.game_seed = game.game_seed;
}

/// Most games of a block start from the same position, whose FEN is then read once.
template <VariantRules R>
class StartBoard {
 public:
  const Board& of(const GameRecord& game) {
    if (game.start_fen != fen_) {
      board_ = parse_fen<R>(game.start_fen).value_or_throw("start FEN of a recorded game");
      fen_ = game.start_fen;
    }
    return board_;
  }

 private:
  std::string fen_;
  Board board_;
};

template <VariantRules R, class Item>
void pack_game(const GameRecord& game, Board board, const PositionFilters& filters, std::uint32_t shard,
               FilteredPositions<Item>& out) {
  for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
    if (!is_playable<R>(board, game.moves[ply]))
      throw UserError("recorded game", fmt::format("illegal move at ply {}; see `farrier data check`", ply));
    if (keeps<R>(filters, game, board, ply, out.counts)) {
      Item& item = out.positions.emplace_back();
      set_origin(item, shard, game, ply);
      packed(item) = pack_labelled<R>(board, game, ply);
    }
    make_move<R>(board, game.moves[ply]);
  }
}

template <VariantRules R, class Item>
BlockResult<Item> pack_block(const std::vector<GameRecord>& games, const PassSettings& settings,
                             std::uint32_t shard) {
  const auto out = std::make_shared<FilteredPositions<Item>>();
  StartBoard<R> start;
  std::size_t plies = 0;
  for (const GameRecord& game : games) plies += game.moves.size();
  out->positions.reserve(plies);
  for (const GameRecord& game : games)
    if (settings.split.has(settings.part, game.game_seed))
      pack_game<R>(game, start.of(game), settings.filters, shard, *out);
  return out;
}

/// Whether the first look at the data has kept the block.
template <class Item>
bool is_kept(const DataBlock& block, const PassSettings& settings) {
  return std::is_same_v<Item, PackedPosition> && settings.part != DataPart::All && settings.kept != nullptr &&
         settings.kept->has(block);
}

/// Positions wait here and leave in random order: each that comes in takes the place of one that goes out.
template <class Item>
class ShuffleBuffer {
 public:
  using Take = std::function<bool(const Item&)>;
  ShuffleBuffer(const PassSettings& settings, std::uint64_t seed, const Take& take)
      : capacity_(std::max<std::size_t>(settings.shuffle_positions, 1)), rng_(seed), take_(take) {}

  bool add(const std::vector<Item>& positions) {
    waiting_.reserve(capacity_);
    auto next = positions.begin();
    while (next != positions.end() && waiting_.size() < capacity_) waiting_.push_back(*next++);
    // Places are drawn some positions ahead, because the buffer is far larger than the caches.
    std::array<Item*, kAhead> places{};
    while (next != positions.end()) {
      const auto count = std::min<std::ptrdiff_t>(std::ssize(places), positions.end() - next);
      for (std::ptrdiff_t i = 0; i < count; ++i) places[i] = fetch_place();
      for (std::ptrdiff_t i = 0; i < count; ++i)
        if (!exchange(*places[i], *next++)) return false;
    }
    return true;
  }

  /// The rest, shuffled (Fisher and Yates).
  bool drain(const BlockPause& pause) {
    constexpr std::size_t kBetweenPauses = 4096;
    std::array<Item*, kAhead> places{};
    while (!waiting_.empty()) {
      if (waiting_.size() % kBetweenPauses < kAhead) pause.wait_if_wanted();
      const std::size_t count = std::min(places.size(), waiting_.size());
      for (std::size_t i = 0; i < count; ++i) places[i] = fetch_place(waiting_.size() - i);
      for (std::size_t i = 0; i < count; ++i) {
        if (!exchange(*places[i], waiting_.back())) return false;
        waiting_.pop_back();
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t kAhead = 16;

  bool exchange(Item& place, const Item& next) {
    if (!take_(place)) return false;
    place = next;
    return true;
  }

  Item* fetch_place() { return fetch_place(waiting_.size()); }
  /// One of the first `count` places.
  Item* fetch_place(std::size_t count) {
    Item* place = &waiting_[rng_.below(static_cast<std::uint32_t>(count))];
    constexpr std::size_t kCacheLine = 64;
    const auto* bytes = reinterpret_cast<const std::byte*>(place);
    for (std::size_t at = 0; at < sizeof *place; at += kCacheLine) __builtin_prefetch(bytes + at, 1);
    return place;
  }

  const std::size_t capacity_;
  Rng rng_;
  const Take& take_;
  std::vector<Item> waiting_;
};

template <class Item>
FilterCounts pass_over(const DataMix& mix, const PassSettings& settings,
                       const std::function<bool(const Item&)>& take, const PassHooks& hooks) {
  assert(settings.kept == nullptr ||
         (settings.kept->filters() == settings.filters && settings.kept->split() == settings.split));
  const auto epoch = static_cast<std::uint64_t>(settings.epoch);
  const std::vector<DataBlock> blocks =
      settings.shuffled ? mix.shuffled_blocks(derive_seed(settings.seed, kOrderStream, epoch)) : mix.blocks();
  ShuffleBuffer<Item> buffer(settings, derive_seed(settings.seed, kBufferStream, epoch), take);
  FilterCounts counts;
  bool going = true;
  with_rules(mix.variant(), [&]<VariantRules R>() {
    for_each_block(mix, blocks, settings.workers,
                   {.needs_no_games = [&](const DataBlock& block) { return is_kept<Item>(block, settings); },
                    .work = [&](const DataBlock& block, const std::vector<GameRecord>& games) -> std::any {
                      if constexpr (std::is_same_v<Item, PackedPosition>)
                        if (is_kept<Item>(block, settings)) return settings.kept->load(block, settings.part);
                      try {
                        return pack_block<R, Item>(games, settings, block.shard);
                      } catch (const UserError& error) {
                        throw UserError(mix.shards()[block.shard].path.string(), error.what());
                      }
                    },
                    .take =
                        [&](const DataBlock&, std::any& result) {
                          const FilteredPositions<Item>& block =
                              *std::any_cast<const BlockResult<Item>&>(result);
                          counts += block.counts;
                          if (settings.shuffled) {
                            going = buffer.add(block.positions);
                          } else {
                            for (std::size_t i = 0; going && i < block.positions.size(); ++i)
                              going = take(block.positions[i]);
                          }
                          return going;
                        }},
                   hooks.pause);
  });
  if (hooks.all_read) hooks.all_read();
  if (going) buffer.drain(hooks.pause);
  return counts;
}

}  // namespace

FilterCounts stream_positions(const DataMix& mix, const PassSettings& settings, const TakePosition& take,
                              const PassHooks& hooks) {
  return pass_over<PackedPosition>(mix, settings, take, hooks);
}

FilterCounts trace_positions(const DataMix& mix, const PassSettings& settings,
                             const std::function<bool(const TracedPosition&)>& take) {
  return pass_over<TracedPosition>(mix, settings, take, {});
}

}  // namespace farrier
