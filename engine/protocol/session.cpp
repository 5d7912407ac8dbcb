#include "engine/protocol/session.h"

#include <algorithm>

#include "engine/chess/fen.h"
#include "engine/chess/notation.h"
#include "engine/chess/perft.h"
#include "engine/variants/dispatch.h"

namespace farrier {
namespace {

template <VariantRules R>
class VariantSession final : public Session {
 public:
  Variant variant() const override { return R::kVariant; }

  Result<bool> set_position(std::string_view fen, const std::vector<std::string>& moves) override {
    const Result<Board> start = parse_fen<R>(fen);
    if (!start) return Failure{start.reason()};
    game_ = Game<R>(*start);
    for (const std::string& text : moves) {
      const Result<Move> move = parse_uci_move<R>(game_.board(), text);
      if (!move) return Failure{move.reason()};
      game_.play(*move);
    }
    return true;
  }

  std::string fen() const override { return to_fen<R>(game_.board()); }
  Color side_to_move() const override { return game_.board().side_to_move; }
  Result<Move> parse_move(std::string_view text) const override {
    return parse_uci_move<R>(game_.board(), text);
  }

  void configure(const SearcherOptions& options) override {
    searcher_ = std::make_unique<Searcher<R>>(options);
  }
  SearchReport search(const SearchLimits& limits,
                      const std::function<void(const SearchReport&)>& on_iteration) override {
    return searcher().search(game_, limits, on_iteration);
  }
  void clear() override { searcher().clear(); }
  Score evaluate() override { return searcher().evaluate(game_.board()); }
  std::vector<std::pair<Move, std::uint64_t>> perft(int depth) const override {
    return perft_divide<R>(game_.board(), depth);
  }

 private:
  Game<R> game_;
  /// Made when first needed, so that a program that only asks for `uci` answers at once.
  Searcher<R>& searcher() {
    if (!searcher_) searcher_ = std::make_unique<Searcher<R>>(SearcherOptions{});
    return *searcher_;
  }

  std::unique_ptr<Searcher<R>> searcher_;
};

}  // namespace

std::unique_ptr<Session> make_session(Variant variant) {
  return with_rules(variant, []<VariantRules R>() -> std::unique_ptr<Session> {
    return std::make_unique<VariantSession<R>>();
  });
}

void set_time_limits(SearchLimits& limits, const Clock& clock, std::int64_t overhead_ms) {
  if (!clock.time_ms) return;
  const std::int64_t left = std::max<std::int64_t>(*clock.time_ms - overhead_ms, 1);
  const std::int64_t moves = clock.moves_to_go > 0 ? std::min(clock.moves_to_go, 30) : 30;
  // An iteration takes about as long as all before it, so a soft limit of half the share keeps to it on
  // average.
  const std::int64_t share = left / moves + clock.increment_ms * 3 / 4;
  limits.soft_time_ms = std::min(std::max<std::int64_t>(share * 6 / 10, 1), left);
  limits.hard_time_ms =
      std::min(std::max<std::int64_t>(share * 3, 1), std::max<std::int64_t>(left / (moves == 1 ? 1 : 3), 1));
}

}  // namespace farrier
