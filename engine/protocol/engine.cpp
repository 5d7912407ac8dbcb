#include "engine/protocol/engine.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <random>
#include <system_error>

#include "engine/base/error.h"
#include "engine/chess/notation.h"
#include "engine/nnue/default_nets.h"

namespace farrier {
namespace {

constexpr std::int64_t kDefaultHashMib = 16;
constexpr std::int64_t kMaxThreads = 256;
constexpr std::int64_t kMaxMultiPv = 256;
constexpr std::int64_t kMaxOverheadMs = 5000;
constexpr std::int64_t kHurryMs = 100;
constexpr auto kSilenceBeforeRootMoves = std::chrono::seconds(3);

/// All of the machine's memory: a table that leaves no room is the user's choice, one that can't exist is not.
std::int64_t max_hash_mib() {
  const std::int64_t pages = sysconf(_SC_PHYS_PAGES);
  const std::int64_t page_bytes = sysconf(_SC_PAGESIZE);
  constexpr std::int64_t kMib = 1 << 20;
  return pages > 0 && page_bytes > 0 ? std::max(kDefaultHashMib, pages / (kMib / page_bytes))
                                     : std::int64_t{1} << 20;
}

}  // namespace

Engine::Engine(EngineListener& listener)
    : listener_(listener), session_(make_session(Variant::Chess)), noise_seed_(std::random_device()()) {
  add_options();
}

Engine::~Engine() { stop(); }

void Engine::add_options() {
  std::vector<std::string> variants;
  for (Variant v : kAllVariants) variants.emplace_back(variant_name(v));
  const auto stales = [this](std::int64_t& target) {
    return [this, &target](std::int64_t value) {
      stale_ = stale_ || target != value;
      target = value;
    };
  };
  options_.add_combo("UCI_Variant", "chess", variants,
                     [this](const std::string& name) { set_variant(*variant_from_name(name)); });
  options_.add_spin("Hash", hash_mib_, 1, max_hash_mib(), stales(hash_mib_));
  options_.add_button("Clear Hash", [this] { new_game(); });
  options_.add_spin("Threads", threads_, 1, kMaxThreads, stales(threads_));
  options_.add_spin("MultiPV", multi_pv_, 1, kMaxMultiPv, [this](std::int64_t lines) { multi_pv_ = lines; });
  // Whether to ponder is the GUI's affair: it tells by `go ponder`.
  options_.add_check("Ponder", false, [](bool) {});
  options_.add_spin("Move Overhead", overhead_ms_, 0, kMaxOverheadMs,
                    [this](std::int64_t ms) { overhead_ms_ = ms; });
  options_.add_string("EvalFile", "", [this](const std::string& file) {
    stale_ = stale_ || eval_file_ != file;
    eval_file_ = file;
  });
  options_.add_check("UCI_ShowWDL", false, [this](bool on) { shows_wdl_ = on; });
  options_.add_check("UCI_AnalyseMode", false, [this](bool on) {
    stale_ = stale_ || (analyses_ != on && limits_strength_);
    analyses_ = on;
  });
  options_.add_check("UCI_LimitStrength", false, [this](bool on) {
    stale_ = stale_ || limits_strength_ != on;
    limits_strength_ = on;
  });
  options_.add_spin("UCI_Elo", elo_, kLeastElo, kMostElo, [this](std::int64_t elo) {
    stale_ = stale_ || (elo_ != elo && limits_strength_);
    elo_ = elo;
  });
  options_.add_string("SyzygyPath", "", [this](const std::string& path) {
    if (!path.empty()) listener_.on_message("SyzygyPath is ignored: tablebases are not used");
  });
}

void Engine::set_variant(Variant variant) {
  stop();
  if (variant == session_->variant()) {
    session_->set_position(start_fen(variant), {});
    return;
  }
  session_ = make_session(variant);
  stale_ = true;
}

void Engine::prepare() {
  if (!stale_) return;
  stop();
  SearcherOptions options;
  options.hash_mib = static_cast<std::size_t>(hash_mib_);
  options.threads = static_cast<int>(threads_);
  options.net = choose_net();
  if (const auto strength = limited_strength()) options.noise = {strength->noise_cp, noise_seed_};
  const auto make_do = [&](const std::string& reason) {
    listener_.on_warning(reason + "; " + std::to_string(kDefaultHashMib) +
                         " MiB of Hash and one thread are used");
    options.hash_mib = static_cast<std::size_t>(kDefaultHashMib);
    options.threads = 1;
    session_->configure(options);
  };
  try {
    session_->configure(options);
  } catch (const UserError& error) {
    make_do(error.what());
  } catch (const std::bad_alloc&) {
    make_do("not enough memory for " + std::to_string(threads_) + " Threads");
  }
  stale_ = false;
}

/// The net of EvalFile, else the variant's default net, else none; tells which one plays.
std::shared_ptr<const Net> Engine::choose_net() {
  const std::string variant(variant_name(session_->variant()));
  if (eval_file_ == "material") {
    listener_.on_message("evaluation: material");
    return nullptr;
  }
  if (!eval_file_.empty()) {
    try {
      auto net = std::make_shared<const Net>(read_net(eval_file_));
      if (net->variant == session_->variant()) {
        listener_.on_message("evaluation: " + eval_file_);
        return net;
      }
      listener_.on_warning(eval_file_ + " is a net for " + std::string(variant_name(net->variant)) +
                           ", not for " + variant + "; it is not used");
    } catch (const UserError& error) {
      listener_.on_warning(error.what());
    }
  }
  const DefaultNet found = default_net(session_->variant());
  listener_.on_message("evaluation: " +
                       (found.net ? found.name : "material (no default net for " + variant + ")"));
  return found.net;
}

void Engine::new_game() {
  stop();
  if (!stale_) session_->clear();
}

std::optional<Strength> Engine::limited_strength() const {
  if (!limits_strength_ || analyses_) return std::nullopt;
  return strength_of(session_->variant(), static_cast<int>(elo_));
}

SearchLimits Engine::limits_of(const GoRequest& request) const {
  const auto clamped = [](std::int64_t value, std::int64_t most) {
    return std::clamp<std::int64_t>(value, 1, most);
  };
  SearchLimits limits;
  set_time_limits(limits, request.clock, overhead_ms_);
  if (request.move_time_ms) {
    const std::int64_t time = std::max<std::int64_t>(*request.move_time_ms, 1);
    const std::int64_t usable = std::max<std::int64_t>(time - std::min(overhead_ms_, time / 2), 1);
    limits.hard_time_ms = std::min(usable, limits.hard_time_ms.value_or(usable));
  }
  if (request.nodes)
    limits.hard_nodes =
        static_cast<std::uint64_t>(clamped(*request.nodes, std::numeric_limits<std::int64_t>::max()));
  if (request.depth) limits.depth = static_cast<int>(clamped(*request.depth, kMaxPly - 1));
  if (request.mate) limits.mate = static_cast<int>(clamped(*request.mate, kMaxPly));
  // Soft, so that even the weakest player has looked at every move once.
  if (const auto strength = limited_strength()) limits.soft_nodes = strength->nodes;
  limits.search_moves = request.search_moves;
  limits.multi_pv = static_cast<int>(multi_pv_);
  limits.control = &*control_;
  return limits;
}

void Engine::go(const GoRequest& request) {
  stop();
  prepare();
  control_.emplace();
  counting_ = false;
  if (request.ponder) control_->ponder();
  const SearchLimits limits = limits_of(request);
  hurries_ = !request.infinite && !request.ponder && limits.hard_time_ms.value_or(kHurryMs) < kHurryMs;
  try {
    run_in_background([this, limits, waits = request.infinite] { search(limits, waits); });
  } catch (const std::system_error&) {
    listener_.on_warning("the system gives no thread to search on; the first thought is played");
    searching_ = false;
    control_->ponder_hit();  // nobody could tell this thread later
    SearchLimits first_thought = limits;
    first_thought.depth = 1;
    search(first_thought, false);
  }
}

void Engine::search(const SearchLimits& limits, bool waits_for_stop) {
  const auto start = std::chrono::steady_clock::now();
  SearchListener listener;
  listener.on_report = [this](const SearchReport& report) { listener_.on_report(report); };
  listener.on_root_move = [this, start](int depth, Move move, int number) {
    if (std::chrono::steady_clock::now() - start >= kSilenceBeforeRootMoves)
      listener_.on_root_move(depth, move, number);
  };
  const SearchReport report = session_->search(limits, listener);
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return control_->stopped() || !(waits_for_stop || control_->is_pondering()); });
  }
  listener_.on_best_move(report.best_move, session_->expected_reply(report));
}

void Engine::go_perft(int depth, std::function<void(const std::string&)> on_line) {
  stop();
  control_.emplace();
  counting_ = true;
  run_in_background([this, depth, on_line = std::move(on_line)] {
    std::uint64_t total = 0;
    const bool complete = session_->perft(depth, *control_, [&](Move move, std::uint64_t paths) {
      on_line(to_uci(move) + ": " + std::to_string(paths));
      total += paths;
    });
    if (complete) on_line("\nNodes searched: " + std::to_string(total));
  });
}

void Engine::run_in_background(std::function<void()> work) {
  searching_ = true;
  thread_ = std::thread([this, work = std::move(work)] {
    work();
    searching_ = false;
  });
}

void Engine::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    control_->stop();
  }
  changed_.notify_all();
  thread_.join();
}

void Engine::ponder_hit() {
  if (!control_) return;
  {
    const std::lock_guard lock(mutex_);
    control_->ponder_hit();
  }
  changed_.notify_all();
}

void Engine::wait() {
  if (thread_.joinable()) thread_.join();
}

}  // namespace farrier
