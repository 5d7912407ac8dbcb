#include "selfplay/records/work.h"

#include <algorithm>
#include <exception>
#include <thread>

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "engine/base/error.h"

namespace farrier {

WorkProgress::WorkProgress(std::uint64_t total_games, bool shown) : shown_(shown), total_(total_games) {}

WorkProgress::~WorkProgress() { line_.finish(); }

void WorkProgress::add_game() {
  const std::lock_guard guard(mutex_);
  ++done_;
  if (!shown_ || !line_.due()) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const double rate = static_cast<double>(done_) / std::max(seconds, 1e-3);
  if (total_ == 0)  // a text is as long as it is
    line_.show(fmt::format("{} games, {:.0f} games/s", done_, rate));
  else
    line_.show(fmt::format("{} of {} games ({:.0f}%), {:.0f} games/s, {} left", done_, total_,
                           100 * static_cast<double>(done_) / static_cast<double>(total_), rate,
                           duration_text(static_cast<double>(total_ - std::min(done_, total_)) / rate)));
}

void for_each_in_parallel(std::size_t count, int workers, const std::function<void(std::size_t)>& work) {
  namespace tbb = oneapi::tbb;
  const int threads =
      workers > 0 ? workers : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::mutex mutex;
  std::atomic<std::size_t> first_failed{count};
  std::exception_ptr failure;
  const tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  std::atomic<std::size_t> next{0};
  arena.execute([&] {
    // Each task takes the lowest one left, so that a failure comes soon and memory holds a few at a time.
    tbb::parallel_for(0, threads, [&](int) {
      for (std::size_t i; (i = next++) < count && i < first_failed;) {
        try {
          work(i);
        } catch (...) {
          const std::lock_guard guard(mutex);
          if (i < first_failed) {
            first_failed = i;
            failure = std::current_exception();
          }
        }
      }
    });
  });
  if (failure) std::rethrow_exception(failure);
}

void throw_if_stopped(const std::atomic<bool>& stop, const std::string& place) {
  if (stop.load(std::memory_order_relaxed))
    throw UserError(place, "stopped; nothing was written, give the same command again");
}

}  // namespace farrier
