// Makes books: random openings that our own search calls even, each position once.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "engine/nnue/net_file.h"
#include "selfplay/games/openings.h"

namespace farrier {

struct BookBuildSettings {
  Variant variant = Variant::Chess;
  std::filesystem::path file;  // an EPD
  std::int64_t count = 1000;
  OpeningSettings openings{
      .random_plies = 8, .one_more_on_a_coin = true, .max_score_cp = 100, .check_nodes = 20000};
  std::shared_ptr<const Net> net;  // that judges; null: material
  /// The book depends on the settings above and the seed alone.
  std::uint64_t seed = 1;
  int workers = 0;  // 0: one per core
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::int64_t found)> on_progress;
};

struct BookBuildResult {
  bool complete = false;  // else it was stopped, and no file was written
  std::int64_t positions = 0;
  std::int64_t repeated = 0;  // left out since an opening before leads there
  OpeningRejects rejects;
};

/// Writes the book; it appears whole or not at all. Throws UserError if so few plies don't lead to so many
/// positions, or the file can't be written.
BookBuildResult build_book(const BookBuildSettings& settings);

}  // namespace farrier
