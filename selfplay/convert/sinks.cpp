#include "selfplay/convert/sinks.h"

#include "engine/chess/pgn.h"
#include "engine/variants/dispatch.h"
#include "selfplay/convert/pgn_games.h"
#include "selfplay/convert/position_lines.h"
#include "selfplay/data/positions_file.h"
#include "selfplay/records/whole_output.h"

namespace farrier {
namespace {

class PgnSink : public GameSink {
 public:
  explicit PgnSink(const std::filesystem::path& path) : file_(path) {}
  void add(const GameRecord& game, const ShardInfo& origin) override {
    file_.write(to_pgn(to_pgn_game(game, origin, number_++)));
  }
  void finish() override { file_.finish(); }

 private:
  WholeFile file_;
  std::uint64_t number_ = 0;
};

/// One shard, where the name of a shard is given.
class ShardSink : public GameSink {
 public:
  explicit ShardSink(const std::filesystem::path& path) : path_(path) { require_absent(path); }
  void add(const GameRecord& game, const ShardInfo& origin) override {
    if (!shard_) shard_ = std::make_unique<GameWriter>(path_, origin);
    shard_->add(game);
  }
  void finish() override {
    if (shard_) shard_->finish();
  }

 private:
  std::filesystem::path path_;
  std::unique_ptr<GameWriter> shard_;
};

class FolderSink : public GameSink {
 public:
  FolderSink(const std::filesystem::path& folder, std::uint64_t games_per_shard)
      : folder_(folder), games_per_shard_(games_per_shard) {}
  void add(const GameRecord& game, const ShardInfo& origin) override {
    if (games_ % games_per_shard_ == 0) {
      ShardInfo info = origin;
      info.first_game = games_;
      folder_.begin_shard(info);
    }
    folder_.add(game);
    ++games_;
  }
  void finish() override { folder_.finish(); }

 private:
  ShardFolderWriter folder_;
  std::uint64_t games_per_shard_;
  std::uint64_t games_ = 0;
};

template <VariantRules R>
class LineSink : public RowSink {
 public:
  LineSink(const std::filesystem::path& path, DataFormat format) : file_(path), format_(format) {}
  void add(const PositionRow& row, std::uint64_t) override {
    file_.write(format_ == DataFormat::Epd ? to_epd_line<R>(row) : to_text_line<R>(row));
  }
  void finish() override { file_.finish(); }

 private:
  WholeFile file_;
  DataFormat format_;
};

class PositionsSink : public RowSink {
 public:
  PositionsSink(const std::filesystem::path& path, Variant variant)
      : file_((require_absent(path), path), variant) {}
  void add(const PositionRow& row, std::uint64_t game) override {
    PositionLabels labels;
    labels.move = row.move.value_or(Move());
    labels.score_cp_stm = static_cast<std::int16_t>(*row.score_cp_stm);
    labels.result_stm = static_cast<std::int8_t>(row.board.side_to_move == Color::White ? *row.result_white
                                                                                        : -*row.result_white);
    labels.game = game;
    file_.add(row.board, labels);
  }
  void finish() override { file_.finish(); }

 private:
  PositionsFile file_;
};

}  // namespace

std::unique_ptr<GameSink> make_game_sink(const ConvertSettings& settings) {
  if (settings.to == DataFormat::Pgn) return std::make_unique<PgnSink>(settings.out);
  if (settings.out.extension() == ".h5") return std::make_unique<ShardSink>(settings.out);
  return std::make_unique<FolderSink>(settings.out, settings.games_per_shard);
}

template <VariantRules R>
std::unique_ptr<RowSink> make_row_sink(const ConvertSettings& settings) {
  if (settings.to == DataFormat::Positions) return std::make_unique<PositionsSink>(settings.out, R::kVariant);
  return std::make_unique<LineSink<R>>(settings.out, settings.to);
}

#define FARRIER_INSTANTIATE(R) template std::unique_ptr<RowSink> make_row_sink<R>(const ConvertSettings&);
FARRIER_FOR_EACH_RULES(FARRIER_INSTANTIATE)
#undef FARRIER_INSTANTIATE

}  // namespace farrier
