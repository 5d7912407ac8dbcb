#include "engine/search/searcher.h"

#include <system_error>
#include <thread>

#include "engine/chess/make_move.h"
#include "engine/chess/movegen.h"
#include "engine/search/search_worker.h"
#include "engine/search/shared_state.h"
#include "engine/variants/dispatch.h"

namespace farrier {

template <VariantRules R>
struct Searcher<R>::Impl {
  explicit Impl(const SearcherOptions& options) : shared(options.hash_mib, options.threads) {
    for (int i = 0; i < options.threads; ++i)
      workers.push_back(std::make_unique<SearchWorker<R>>(shared, static_cast<std::size_t>(i), options));
  }

  SharedState shared;
  std::vector<std::unique_ptr<SearchWorker<R>>> workers;  // the first one reports, the others fill the table
};

template <VariantRules R>
Searcher<R>::Searcher(SearcherOptions options) : impl_(std::make_unique<Impl>(options)) {}

template <VariantRules R>
Searcher<R>::~Searcher() = default;

template <VariantRules R>
SearchReport Searcher<R>::search(const Game<R>& game, const SearchLimits& limits,
                                 const SearchListener& listener) {
  SharedState& shared = impl_->shared;
  shared.limits = limits;
  shared.start = std::chrono::steady_clock::now();
  shared.stop = false;
  shared.table.new_search();
  // Before any thread counts: a helper that starts late must not leave its old count in the sum.
  for (NodeCounter& counter : shared.counters) counter.nodes = 0;

  std::vector<std::thread> helpers;
  try {
    for (std::size_t i = 1; i < impl_->workers.size(); ++i)
      helpers.emplace_back([this, i, &game] { impl_->workers[i]->run(game, {}); });
  } catch (const std::system_error&) {
    // The system gives no more threads: those that run are enough.
  }
  SearchReport report = impl_->workers[0]->run(game, listener);
  shared.stop = true;
  for (std::thread& helper : helpers) helper.join();
  report.nodes = shared.total_nodes();
  return report;
}

template <VariantRules R>
Move Searcher<R>::expected_reply(const Board& board, Move move) const {
  const Board next = after<R>(board, move);
  const auto entry = impl_->shared.table.probe(next.key);
  return entry && is_legal<R>(next, entry->move) ? entry->move : Move();
}

template <VariantRules R>
void Searcher<R>::clear() {
  impl_->shared.table.clear();
  for (auto& worker : impl_->workers) worker->clear();
}

template <VariantRules R>
Score Searcher<R>::evaluate(const Board& board) {
  return impl_->workers[0]->evaluate(board);
}

#define INSTANTIATE(R) template class Searcher<R>;
FARRIER_FOR_EACH_RULES(INSTANTIATE)
#undef INSTANTIATE

}  // namespace farrier
