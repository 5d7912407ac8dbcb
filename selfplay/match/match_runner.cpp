#include "selfplay/match/match_runner.h"

#include <fmt/core.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_set>

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "engine/variants/dispatch.h"
#include "selfplay/match/journal.h"

namespace farrier {
namespace {

constexpr std::uint64_t kPairStream = 0x6D61746368;  // "match": apart from the streams of self-play

void require_sane(const MatchSettings& s) {
  if (s.games < 2 || s.games % 2 != 0)
    throw UserError("match", fmt::format("{} games make no pairs; give an even number from 2 on", s.games));
  if (s.workers < 0 || s.workers > 1024)
    throw UserError("match", "the number of workers must be from 1 to 1024, or 0 for one per core");
  if (s.sprt) {
    const std::string_view fault = sprt_settings_fault(*s.sprt);
    if (!fault.empty()) throw UserError("match", "sequential test: " + std::string(fault));
  }
  if (s.openings.random_plies < 0 || s.openings.random_plies > 100)
    throw UserError("match", "random opening plies must lie between 0 and 100");
  if (s.adjudication.max_plies <= s.openings.random_plies + 1 || s.adjudication.max_plies > kMaxGamePlies)
    throw UserError("match",
                    fmt::format("the ply limit must lie above the opening's {} plies and be at most {}",
                                s.openings.random_plies + 1, kMaxGamePlies));
  for (const PlayerSpec* spec : {&s.a, &s.b}) {
    if (spec->net && spec->net->variant != s.variant)
      throw UserError(spec->name, fmt::format("is a net for {}, not for {}; give one of this variant",
                                              variant_name(spec->net->variant), variant_name(s.variant)));
    if (!spec->hard_nodes && !spec->soft_nodes)
      throw UserError(spec->name, "has no node limit; give one, so that the match repeats");
  }
}

/// What the workers of one match share.
class MatchSession {
 public:
  explicit MatchSession(const MatchSettings& settings)
      : settings_(settings),
        pairs_to_play_(settings.games / 2),
        tally_(pairs_to_play_, settings.sprt),
        started_(std::chrono::steady_clock::now()) {
    if (settings.journal.empty()) return;
    journal_.emplace(settings);
    for (const MatchPair& pair : journal_->pairs()) {
      played_before_.insert(pair.index);
      tally_.add(pair);
    }
    if (tally_.decided()) halted_ = true;
  }

  bool halted() const {
    return halted_.load(std::memory_order_relaxed) ||
           (settings_.stop != nullptr && settings_.stop->load(std::memory_order_relaxed));
  }
  void halt() { halted_ = true; }

  /// The next pair that nobody has played or is playing; none if the match is over.
  std::optional<std::int64_t> next_pair() {
    const std::lock_guard lock(mutex_);
    while (played_before_.contains(next_)) ++next_;
    if (halted() || next_ >= pairs_to_play_) return std::nullopt;
    return next_++;
  }

  void add(const MatchPair& pair) {
    const std::lock_guard lock(mutex_);
    if (tally_.decided()) return;
    if (journal_) journal_->append(pair);
    tally_.add(pair);
    ++pairs_this_session_;
    if (tally_.decided()) halted_ = true;
    if (!settings_.on_progress) return;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
    settings_.on_progress({.result = tally_.result(),
                           .pairs_to_play = pairs_to_play_,
                           .pairs_this_session = pairs_this_session_,
                           .seconds_this_session = elapsed.count()});
  }

  const MatchResult& result() const { return tally_.result(); }

 private:
  const MatchSettings& settings_;
  const std::int64_t pairs_to_play_;
  std::atomic<bool> halted_{false};
  std::mutex mutex_;  // guards all below
  MatchTally tally_;
  std::optional<MatchJournal> journal_;
  std::unordered_set<std::int64_t> played_before_;
  std::int64_t next_ = 0;
  std::int64_t pairs_this_session_ = 0;
  std::chrono::steady_clock::time_point started_;
};

/// A worker's own searchers. Openings are judged by material and drawn by seed and index alone, so that every
/// match of a variant under one seed starts from the same positions, whoever plays.
template <VariantRules R>
class SearchPairPlayer {
 public:
  explicit SearchPairPlayer(const MatchSettings& settings)
      : settings_(settings), a_(settings.a), b_(settings.b), judge_(judge_options()) {}

  std::optional<MatchPair> play(std::int64_t index, const std::function<bool()>& halted) {
    const std::uint64_t seed = derive_seed(settings_.seed, kPairStream, static_cast<std::uint64_t>(index));
    const Opening opening = make_opening<R>(judge_, settings_.openings, seed);
    MatchAdjudication adjudication = settings_.adjudication;
    if (is_played_out(adjudication.calls, seed))
      adjudication.calls.win_plies = adjudication.calls.draw_plies = 0;
    return play_pair<R>(index, opening, a_, b_, adjudication, halted);
  }

 private:
  static SearcherOptions judge_options() {
    SearcherOptions options;
    options.hash_mib = 1;
    return options;
  }

  const MatchSettings& settings_;
  SearchPlayer<R> a_, b_;
  Searcher<R> judge_;
};

}  // namespace

MatchResult schedule_match(const MatchSettings& settings, const std::function<PairPlayer()>& make_player) {
  require_sane(settings);
  MatchSession session(settings);
  if (session.halted()) return session.result();

  const auto work = [&] {
    try {
      const PairPlayer play = make_player();
      while (const std::optional<std::int64_t> index = session.next_pair())
        if (const std::optional<MatchPair> pair = play(*index, [&] { return session.halted(); }))
          session.add(*pair);
    } catch (...) {
      session.halt();  // the others leave their games; TBB hands the exception on
      throw;
    }
  };
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int workers = settings.workers > 0 ? settings.workers : cores;
  // Each worker is a task that lasts as long as the match. More workers than cores are allowed when asked
  // for.
  const tbb::global_control parallelism(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(workers));
  tbb::task_arena arena(workers);
  arena.execute([&] {
    tbb::parallel_for(
        0, workers, [&](int) { work(); }, tbb::simple_partitioner{});
  });
  return session.result();
}

MatchResult run_match(const MatchSettings& settings) {
  return with_rules(settings.variant, [&]<VariantRules R>() {
    return schedule_match(settings, [&]() -> PairPlayer {
      auto player = std::make_shared<SearchPairPlayer<R>>(settings);
      return [player](std::int64_t index, const std::function<bool()>& halted) {
        return player->play(index, halted);
      };
    });
  });
}

}  // namespace farrier
