#include "selfplay/match/book_builder.h"

#include <fmt/core.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <thread>
#include <unordered_set>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/rng.h"
#include "engine/chess/outcome.h"
#include "engine/variants/dispatch.h"
#include "selfplay/match/opening_book.h"

namespace farrier {
namespace {

constexpr std::uint64_t kBuilderStream = 0x6D616B65;  // "make"
constexpr std::size_t kBatch = 64;
/// So many repeated positions in a row mean that there are hardly more.
constexpr std::int64_t kRepeatedInARow = 2000;

template <VariantRules R>
class BookBuilder {
 public:
  explicit BookBuilder(const BookBuildSettings& settings)
      : settings_(settings), searchers_([&settings] {
          SearcherOptions options;
          options.hash_mib = 4;
          options.net = settings.net;
          return std::make_unique<Searcher<R>>(options);
        }) {}

  BookBuildResult build() {
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    tbb::task_arena arena(settings_.workers > 0 ? settings_.workers : cores);
    for (std::uint64_t first = 0; result_.positions < settings_.count; first += kBatch) {
      if (settings_.stop != nullptr && *settings_.stop) return result_;
      std::vector<Opening> batch(kBatch);
      arena.execute([&] {
        tbb::parallel_for(std::size_t{0}, kBatch, [&](std::size_t i) {
          const std::uint64_t seed = derive_seed(settings_.seed, kBuilderStream, first + i);
          batch[i] = make_opening<R>(*searchers_.local(), settings_.openings, seed);
        });
      });
      // In order of the index: the book doesn't depend on who finished first.
      for (const Opening& opening : batch) add(opening);
      if (settings_.on_progress) settings_.on_progress(result_.positions);
    }
    write_file_whole(settings_.file, text_);
    result_.complete = true;
    return result_;
  }

 private:
  void add(const Opening& opening) {
    if (result_.positions == settings_.count) return;
    result_.rejects += opening.rejects;
    Game<R> game(opening.start);
    for (const Move move : opening.moves) game.play(move);
    if (!known_.insert(game.board().key).second) {
      ++result_.repeated;
      if (++repeated_in_a_row_ == kRepeatedInARow)
        throw UserError("--make-book", fmt::format("only {} different even positions were found; raise "
                                                   "--random-plies or --opening-max-cp",
                                                   result_.positions));
      return;
    }
    repeated_in_a_row_ = 0;
    ++result_.positions;
    text_ += to_epd<R>(game.board(), fmt::format("ce {};", opening.score_cp_stm)) + "\n";
  }

  const BookBuildSettings& settings_;
  tbb::enumerable_thread_specific<std::unique_ptr<Searcher<R>>> searchers_;
  BookBuildResult result_;
  std::unordered_set<std::uint64_t> known_;
  std::int64_t repeated_in_a_row_ = 0;
  std::string text_;
};

}  // namespace

BookBuildResult build_book(const BookBuildSettings& settings) {
  return with_rules(settings.variant, [&]<VariantRules R>() { return BookBuilder<R>(settings).build(); });
}

}  // namespace farrier
