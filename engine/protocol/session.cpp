#include "engine/protocol/session.h"

#include "engine/chess/fen.h"
#include "engine/chess/make_move.h"
#include "engine/chess/movegen.h"
#include "engine/chess/notation.h"
#include "engine/chess/perft.h"
#include "engine/chess/san.h"
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
    start_ = *start;
    game_ = Game<R>(start_);
    moves_.clear();
    for (const std::string& text : moves) {
      const Result<Move> move = parse_uci_move<R>(game_.board(), text);
      if (!move) return Failure{move.reason()};
      play(*move);
    }
    return true;
  }

  std::string fen() const override { return to_fen<R>(game_.board()); }
  Color side_to_move() const override { return game_.board().side_to_move; }
  Result<Move> parse_move(std::string_view text) const override {
    const Result<Move> move = parse_uci_move<R>(game_.board(), text);
    return move ? move : parse_san<R>(game_.board(), text);
  }
  std::vector<Move> legal_moves() const override {
    const MoveList moves = farrier::legal_moves<R>(game_.board());
    return {moves.begin(), moves.end()};
  }
  void play(Move move) override {
    game_.play(move);
    moves_.push_back(move);
  }
  bool take_back() override {
    if (moves_.empty()) return false;
    moves_.pop_back();
    game_ = Game<R>(start_);
    for (Move move : moves_) game_.play(move);
    return true;
  }
  std::optional<Outcome> outcome() const override { return game_.outcome(); }

  void configure(const SearcherOptions& options) override {
    searcher_.reset();  // two hash tables may not fit into the memory
    searcher_ = std::make_unique<Searcher<R>>(options);
  }
  SearchReport search(const SearchLimits& limits, const SearchListener& listener) override {
    return searcher().search(game_, limits, listener);
  }
  Move expected_reply(const SearchReport& report) const override {
    if (report.pv.size() > 1) return report.pv[1];
    if (report.best_move.is_none() || !searcher_) return {};
    return searcher_->expected_reply(game_.board(), report.best_move);
  }
  void clear() override { searcher().clear(); }
  Score evaluate() override { return searcher().evaluate(game_.board()); }

  bool perft(int depth, const SearchControl& control,
             const std::function<void(Move, std::uint64_t)>& on_move) const override {
    for (Move move : legal_moves()) {
      const auto paths =
          perft_until<R>(after<R>(game_.board(), move), depth - 1, [&] { return control.stopped(); });
      if (!paths) return false;
      on_move(move, *paths);
    }
    return true;
  }

 private:
  /// Made when first needed, so that a program that only asks for `uci` answers at once.
  Searcher<R>& searcher() {
    if (!searcher_) searcher_ = std::make_unique<Searcher<R>>(SearcherOptions{});
    return *searcher_;
  }

  Board start_ = start_board<R>();
  std::vector<Move> moves_;  // from there
  Game<R> game_;
  std::unique_ptr<Searcher<R>> searcher_;
};

}  // namespace

std::unique_ptr<Session> make_session(Variant variant) {
  return with_rules(variant, []<VariantRules R>() -> std::unique_ptr<Session> {
    return std::make_unique<VariantSession<R>>();
  });
}

}  // namespace farrier
