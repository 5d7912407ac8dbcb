#include "selfplay/convert/convert.h"

#include <fstream>

#include <fmt/format.h>

#include "engine/base/byte_order_mark.h"
#include "engine/base/error.h"
#include "engine/variants/dispatch.h"
#include "selfplay/convert/game_joiner.h"
#include "selfplay/convert/pgn_games.h"
#include "selfplay/convert/position_lines.h"
#include "selfplay/convert/sinks.h"
#include "selfplay/data/replay.h"
#include "selfplay/records/shard_catalogue.h"
#include "selfplay/records/work.h"

namespace farrier {
namespace {

bool holds_games(DataFormat format) { return format == DataFormat::Records || format == DataFormat::Pgn; }

/// A line of a text file without its end; false at the end of the file. Longer ones than any position are cut, so that
/// a file that is no text does not fill the memory.
bool read_line(std::istream& in, std::string& line) {
  constexpr std::size_t kLongest = 4096;
  line.clear();
  for (int c; (c = in.get()) != std::char_traits<char>::eof();) {
    if (c == '\n') return true;
    if (line.size() < kLongest) line += static_cast<char>(c);
  }
  return !line.empty();
}

std::ifstream open_source(const std::string& source) {
  std::ifstream in(source, std::ios::binary);
  if (!in || std::filesystem::is_directory(source))
    throw UserError(source, "cannot read this file; name an existing one");
  return in;
}

/// Origin of games that no shard of ours held.
ShardInfo import_info(Variant variant, const ConvertSettings& settings) {
  ShardInfo info;
  info.variant = variant;
  info.net = "unknown";
  std::string names;
  for (const std::string& source : settings.sources)
    names += (names.empty() ? "" : ", ") + std::filesystem::path(source).filename().string();
  info.settings = with_setting("", kImportKey, names);
  return info;
}

template <VariantRules R>
class Conversion {
 public:
  Conversion(const ConvertSettings& settings, const std::atomic<bool>& stop, std::uint64_t games)
      : settings_(settings), stop_(stop), progress_(games) {
    if (holds_games(settings.to))
      games_ = make_game_sink(settings);
    else
      rows_ = make_row_sink<R>(settings);
  }

  void from_records(const ShardCatalogue& catalogue) {
    for (const ShardEntry& shard : catalogue.shards) {
      GameReader reader = open_shard(shard.path, R::kVariant);
      for (GameRecord game; !enough() && reader.next(game); take_game(game, shard.info)) {
      }
    }
  }

  void from_pgn(const std::string& source) {
    std::ifstream in = open_source(source);
    PgnReader reader(in);
    const ShardInfo info = import_info(R::kVariant, settings_);
    while (!enough()) {
      auto pgn = reader.next();
      if (!pgn) return;
      ++number_;
      const std::string place = fmt::format("{}: game {}", source, number_);
      if (!pgn->ok()) {
        skip(place + ", " + pgn->reason());
      } else if ((*pgn)->variant != R::kVariant) {
        skip(fmt::format("{} is of {}, not of {}", place, variant_name((*pgn)->variant), R::kUciName));
      } else if (const Result<GameRecord> game = from_pgn_game(**pgn); !game) {
        skip(place + " " + game.reason());
      } else {
        take_game(*game, info);
      }
    }
  }

  void from_lines(const std::string& source) {
    std::ifstream in = open_source(source);
    std::string line;
    const ShardInfo info = import_info(R::kVariant, settings_);
    std::string place;
    GameJoiner<R> joiner([&](const GameRecord& game) { take_game(game, info); },
                         [&](const std::string& reason) { skip(place + ": " + reason); });
    for (std::uint64_t number = 1; !enough() && read_line(in, line); ++number) {
      if (number == 1) line = without_byte_order_mark(line);
      if (line.find_first_not_of(" \t\r") == std::string::npos || line[0] == '#') continue;
      throw_if_stopped(stop_, settings_.out.string());
      const Result<PositionRow> row =
          settings_.from == DataFormat::Epd ? parse_epd_line<R>(line) : parse_text_line<R>(line);
      if (!row) {
        skip(fmt::format("{}: line {}: {}", source, number, row.reason()));
      } else if (games_) {
        joiner.add(*row);
      } else {
        take_row(*row, fmt::format("{}: line {}", source, number));
      }
      place = fmt::format("{}: before line {}", source, number + 1);
    }
    if (games_ && !enough()) joiner.finish();
  }

  ConvertSummary finish() {
    if (summary_.games == 0 && summary_.positions == 0)
      throw UserError(settings_.sources.front(),
                      summary_.skipped == 0
                          ? "holds nothing to convert; nothing was written"
                          : fmt::format("all {} were skipped, nothing was written; the first: {}",
                                        summary_.skipped, summary_.first_skipped));
    if (games_) games_->finish();
    if (rows_) rows_->finish();
    return summary_;
  }

 private:
  bool enough() const {
    return settings_.limit && (from_rows() ? summary_.positions : summary_.games) >= *settings_.limit;
  }
  /// Lines that go out as rows are never seen as games.
  bool from_rows() const { return rows_ && !holds_games(settings_.from); }

  void take_game(const GameRecord& game, const ShardInfo& origin) {
    throw_if_stopped(stop_, settings_.out.string());
    if (enough()) return;
    progress_.add_game();
    if (games_) {
      games_->add(game, origin);
      summary_.positions += game.positions();
    } else {
      replay<R>(game, [&](const Board& board, Move move, std::int16_t score, std::size_t ply) {
        if (!keeps<R>(settings_.filters, game, board, ply, summary_.filtered)) return;
        rows_->add({board, move, score, game.result_white}, summary_.games);
        ++summary_.positions;
      });
    }
    ++summary_.games;
  }

  void take_row(const PositionRow& row, const std::string& place) {
    if (!row.score_cp_stm || !row.result_white)
      return skip(place + (row.score_cp_stm ? " tells no result" : " tells no score"));
    // As the only ply of a game; what can't be asked without the move is not asked.
    GameRecord game;
    game.moves.push_back(row.move.value_or(Move()));
    game.scores_cp_stm.push_back(static_cast<std::int16_t>(*row.score_cp_stm));
    PositionFilters filters = settings_.filters;
    filters.noisy = filters.noisy && row.move;
    filters.checking_drops = filters.checking_drops && row.move;
    filters.first_plies = 0;
    if (!keeps<R>(filters, game, row.board, 0, summary_.filtered)) return;
    rows_->add(row, summary_.positions);
    ++summary_.positions;
  }

  void skip(const std::string& reason) {
    if (summary_.skipped++ == 0) summary_.first_skipped = reason;
  }

  const ConvertSettings& settings_;
  const std::atomic<bool>& stop_;
  WorkProgress progress_;
  std::unique_ptr<GameSink> games_;
  std::unique_ptr<RowSink> rows_;
  std::uint64_t number_ = 0;
  ConvertSummary summary_;
};

/// The variant of a PGN's first readable game, unless the user told it.
Variant variant_of(const ConvertSettings& settings) {
  if (settings.variant) return *settings.variant;
  if (settings.from != DataFormat::Pgn)
    throw WrongCall("--variant", "a text or an EPD does not tell its variant; give it");
  for (const std::string& source : settings.sources) {
    std::ifstream in = open_source(source);
    PgnReader reader(in);
    while (const auto game = reader.next())
      if (game->ok()) return (*game)->variant;
  }
  throw UserError(settings.sources.front(), "holds no game that can be read");
}

}  // namespace

std::optional<DataFormat> format_of_path(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".pgn") return DataFormat::Pgn;
  if (extension == ".txt") return DataFormat::Text;
  if (extension == ".epd") return DataFormat::Epd;
  if (extension == ".h5" || extension.empty() || std::filesystem::is_directory(path))
    return DataFormat::Records;
  return std::nullopt;
}

std::optional<DataFormat> format_from_name(const std::string& name) {
  if (name == "records") return DataFormat::Records;
  if (name == "pgn") return DataFormat::Pgn;
  if (name == "text") return DataFormat::Text;
  if (name == "epd") return DataFormat::Epd;
  if (name == "positions") return DataFormat::Positions;
  return std::nullopt;
}

ConvertSummary convert_data(const ConvertSettings& settings, const std::atomic<bool>& stop) {
  if (settings.from == DataFormat::Positions)
    throw WrongCall("--from", "a positions file can't be read back: it has lost the games; keep the records");
  if (settings.from == DataFormat::Records && settings.to == DataFormat::Records)
    throw WrongCall("--to",
                    "source and target are both records (a positions file can't be read back); `farrier data "
                    "merge` and `split` make sets of records");
  const bool writes_games = settings.to == DataFormat::Records || settings.to == DataFormat::Pgn;
  if (writes_games && settings.filters != none_but_exploratory())
    throw WrongCall(
        "filters", "leave out positions, but records and PGN hold whole games; write text, EPD or positions");
  ShardCatalogue catalogue;
  if (settings.from == DataFormat::Records) {
    catalogue = read_catalogue_of(settings.sources);
    if (settings.variant && *settings.variant != catalogue.variant)
      throw WrongCall("--variant", fmt::format("these are records of {}", variant_name(catalogue.variant)));
  }
  const Variant variant = settings.from == DataFormat::Records ? catalogue.variant : variant_of(settings);
  return with_rules(variant, [&]<VariantRules R>() {
    Conversion<R> conversion(settings, stop, catalogue.games);
    if (settings.from == DataFormat::Records) {
      conversion.from_records(catalogue);
    } else {
      for (const std::string& source : settings.sources)
        settings.from == DataFormat::Pgn ? conversion.from_pgn(source) : conversion.from_lines(source);
    }
    return conversion.finish();
  });
}

std::string convert_text(const ConvertSettings& settings, const ConvertSummary& summary) {
  std::string text = summary.games > 0 ? fmt::format("{} games, {} scored positions written to {}\n",
                                                     summary.games, summary.positions, settings.out.string())
                                       : fmt::format("{} positions written to {}\n", summary.positions,
                                                     settings.out.string());
  if (summary.filtered.kept + summary.filtered.no_score < summary.filtered.plies)
    text += summary.filtered.to_text() + '\n';
  if (summary.skipped > 0)
    text += fmt::format("{} skipped; the first: {}\n", summary.skipped, summary.first_skipped);
  return text;
}

}  // namespace farrier
