#include "selfplay/match/match_runner.h"

#include <fmt/core.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <unordered_set>

#include "engine/base/error.h"
#include "engine/base/rng.h"
#include "engine/variants/dispatch.h"
#include "selfplay/match/external_player.h"
#include "selfplay/match/journal.h"
#include "selfplay/match/match_log.h"

namespace farrier {
namespace {

constexpr std::uint64_t kPairStream = 0x6D61746368;      // "match": apart from the streams of self-play
constexpr std::uint64_t kRandomStream = 0x72616E646F6D;  // "random": the moves of random movers

void require_sane(const MatchSettings& s) {
  if (s.games < 2 || s.games % 2 != 0)
    throw WrongCall("match", fmt::format("{} games make no pairs; give an even number from 2 on", s.games));
  if (s.workers < 0 || s.workers > 1024)
    throw WrongCall("match", "the number of workers must be from 1 to 1024, or 0 for one per core");
  if (s.sprt) {
    const std::string_view fault = sprt_settings_fault(*s.sprt);
    if (!fault.empty()) throw WrongCall("match", "sequential test: " + std::string(fault));
  }
  if (s.openings.random_plies < 0 || s.openings.random_plies > 100)
    throw WrongCall("match", "random opening plies must lie between 0 and 100");
  if (s.adjudication.max_plies <= s.openings.random_plies + 1 || s.adjudication.max_plies > kMaxGamePlies)
    throw WrongCall("match",
                    fmt::format("the ply limit must lie above the opening's {} plies and be at most {}",
                                s.openings.random_plies + 1, kMaxGamePlies));
  for (const PlayerSpec* spec : {&s.a, &s.b}) {
    if (spec->net && spec->net->variant != s.variant)
      throw UserError(spec->name, fmt::format("is a net for {}, not for {}; give one of this variant",
                                              variant_name(spec->net->variant), variant_name(s.variant)));
    if (!spec->has_limit()) throw UserError(spec->name, "has no limit; give nodes, depth, movetime or tc");
    if (spec->engine && spec->soft_nodes)
      throw UserError(spec->name, "knows no soft node limit, since UCI has none; give nodes without soft");
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

std::string fault_text(const MatchSettings& settings, const FaultReport& report) {
  const std::string& name = (report.player == 0 ? settings.a : settings.b).name;
  std::string text = fmt::format(
      "Pair {}, game {}: {} ({}) loses by {}: {}\nbefore its move: {}\ngame: position fen {} moves {}\n",
      report.pair, report.round + 1, name, "AB"[report.player], termination_name(report.fault.kind),
      report.fault.what, report.fen, report.start_fen, report.moves);
  if (!report.transcript.empty())
    text += "the end of our talk (seconds, > to it, < from it):\n" + report.transcript;
  return text;
}

/// The match's book, if it has one, large enough for players who repeat themselves.
template <VariantRules R>
std::optional<OpeningBook> read_book(const MatchSettings& s) {
  if (!s.book) return std::nullopt;
  OpeningBook book = OpeningBook::read<R>(*s.book);
  const std::string place = s.book->file.string();
  if (book.longest() + 1 >= s.adjudication.max_plies)
    throw UserError(place, fmt::format("the ply limit must lie above the book's {} plies", book.longest()));
  const bool repeats = !s.a.is_timed() && !s.b.is_timed();
  if (repeats && static_cast<std::int64_t>(book.size()) < s.games / 2)
    throw UserError(place,
                    fmt::format("holds {} openings, and players without a clock need one for each of {} "
                                "pairs, or they play the same games again",
                                book.size(), s.games / 2));
  return book;
}

/// What the workers of one match share besides its session.
struct MatchDesk {
  MatchDesk(const MatchSettings& match, std::optional<OpeningBook> match_book)
      : settings(match), book(std::move(match_book)), log(match.log), cores(allowed_cores()) {}

  /// The core of the next worker's engines.
  std::optional<int> next_core() {
    const std::size_t worker = workers_seated++;
    if (!settings.affinity || cores.empty()) return std::nullopt;
    return cores[worker % cores.size()];
  }
  void on_fault(const FaultReport& report) {
    log.add(fault_text(settings, report));
    if (settings.stop_on_fault) stopped = true;
  }

  /// Said once, however many workers start the engine: a net that was refused would make the match another one.
  void on_remark(const std::string& remark) {
    const std::lock_guard lock(remarks_mutex);
    if (remarks.insert(remark).second) fmt::print(stderr, "{}\n", remark);
  }

  const MatchSettings& settings;
  const std::optional<OpeningBook> book;
  MatchLog log;
  std::mutex remarks_mutex;
  std::set<std::string> remarks;
  LatencyHistogram latency;
  const std::vector<int> cores;
  std::atomic<std::size_t> workers_seated{0};
  std::atomic<bool> stopped{false};  // by a fault
};

/// A worker's own players. Openings are judged by material and drawn by seed and index alone, so that every
/// match of a variant under one seed starts from the same positions, whoever plays.
template <VariantRules R>
class WorkerPairPlayer {
 public:
  explicit WorkerPairPlayer(MatchDesk& desk)
      : desk_(desk), settings_(desk.settings), judge_(judge_options()) {
    const EngineTerms terms{.core = desk.next_core(),
                            .stall = settings_.stall,
                            .latency = &desk.latency,
                            .on_remark = [&desk](const std::string& remark) { desk.on_remark(remark); }};
    a_ = make_player(settings_.a, terms, 0);
    b_ = make_player(settings_.b, terms, 1);
  }

  std::optional<MatchPair> play(std::int64_t index, const std::function<bool()>& halted) {
    const std::uint64_t seed = derive_seed(settings_.seed, kPairStream, static_cast<std::uint64_t>(index));
    const Opening opening = desk_.book ? desk_.book->opening(index, settings_.book->order, settings_.seed)
                                       : make_opening<R>(judge_, settings_.openings, seed);
    PairTerms terms{.adjudication = settings_.adjudication,
                    .clocks = {settings_.a.clock, settings_.b.clock},
                    .move_times = {settings_.a.move_time, settings_.b.move_time},
                    .margin = settings_.margin,
                    .keep_times = settings_.a.is_timed() || settings_.b.is_timed(),
                    .halted = [&] { return halted() || desk_.stopped; },
                    .on_fault = [this](const FaultReport& report) { desk_.on_fault(report); }};
    if (is_played_out(terms.adjudication.calls, seed))
      terms.adjudication.calls.win_plies = terms.adjudication.calls.draw_plies = 0;
    return play_pair<R>(index, opening, *a_, *b_, terms);
  }

 private:
  static SearcherOptions judge_options() {
    SearcherOptions options;
    options.hash_mib = 1;
    return options;
  }
  std::unique_ptr<Player<R>> make_player(const PlayerSpec& spec, const EngineTerms& terms,
                                         std::uint64_t side) const {
    if (spec.is_random)
      return std::make_unique<RandomPlayer<R>>(derive_seed(settings_.seed, kRandomStream, side));
    if (spec.engine) return std::make_unique<ExternalPlayer<R>>(spec, terms);
    return std::make_unique<SearchPlayer<R>>(spec, settings_.stop);
  }

  MatchDesk& desk_;
  const MatchSettings& settings_;
  std::unique_ptr<Player<R>> a_, b_;
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
      while (const std::optional<std::int64_t> index = session.next_pair()) {
        const std::optional<MatchPair> pair = play(*index, [&] { return session.halted(); });
        if (!pair) return session.halt();
        session.add(*pair);
      }
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
    MatchDesk desk(settings, read_book<R>(settings));
    MatchResult result = schedule_match(settings, [&]() -> PairPlayer {
      auto player = std::make_shared<WorkerPairPlayer<R>>(desk);
      return [player](std::int64_t index, const std::function<bool()>& halted) {
        return player->play(index, halted);
      };
    });
    if (desk.stopped && result.end == MatchEnd::Interrupted) result.end = MatchEnd::Faulty;
    if (desk.latency.count() > 0 && !settings.log.empty())
      desk.log.add("From the arrival of an engine's move until the referee knew: " + desk.latency.text());
    return result;
  });
}

}  // namespace farrier
