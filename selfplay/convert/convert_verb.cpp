// The verb `data convert`.
#include <cstdint>
#include <memory>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "selfplay/convert/convert.h"
#include "selfplay/games/stop_signal.h"
#include "selfplay/records/data_verbs.h"

namespace farrier {
namespace {

/// What CLI11 fills in before the call.
struct Arguments {
  ConvertSettings settings;
  std::string from, to, variant;
};

DataFormat format_of(const std::string& option, const std::string& name, const std::filesystem::path& path) {
  if (!name.empty()) {
    if (const auto format = format_from_name(name)) return *format;
    throw WrongCall(option,
                    fmt::format("unknown format \"{}\"; known are records, pgn, text, epd, positions", name));
  }
  if (const auto format = format_of_path(path)) return *format;
  throw WrongCall(option,
                  fmt::format("the name {} tells no format; give one of records, pgn, text, epd, positions",
                              path.string()));
}

void run_convert(Arguments arguments) {
  ConvertSettings& settings = arguments.settings;
  settings.from = format_of("--from", arguments.from, settings.sources.front());
  settings.to = format_of("--to", arguments.to, settings.out);
  if (!arguments.variant.empty()) {
    settings.variant = variant_from_name(arguments.variant);
    if (!settings.variant)
      throw WrongCall("--variant", fmt::format("unknown variant \"{}\"; known are {}", arguments.variant,
                                               variant_names()));
  }
  fmt::print("{}", convert_text(settings, convert_data(settings, stop_on_signals())));
}

}  // namespace

void add_convert_verb(CLI::App& data) {
  auto arguments = std::make_shared<Arguments>();
  ConvertSettings& settings = arguments->settings;
  CLI::App* verb =
      data.add_subcommand("convert", "To and from PGN, EPD and text; to a positions file for Python");
  verb->footer(
      "Formats: records (shards); pgn (scores as [%eval ...]); text (FEN | score | result, both from White's "
      "side, as bullet takes it); epd (bm, ce, c9); positions (HDF5, a row a position; write only). What "
      "can't be read is skipped and counted, the first one told.");
  verb->add_option("sources", settings.sources, "What to read")->required();
  verb->add_option("--out", settings.out, "What to write: a new file, or for records a new folder or *.h5")
      ->required();
  verb->add_option("--from", arguments->from, "Format of the sources; else told by their ending");
  verb->add_option("--to", arguments->to, "Format to write; else told by the ending: .pgn, .txt, .epd, .h5");
  verb->add_option("--variant", arguments->variant, "Of a text or an EPD, which don't tell theirs");
  verb->add_option("--limit", settings.limit,
                   "Stop after so many games (of a text or an EPD to positions: positions)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
  verb->add_option("--games-per-shard", settings.games_per_shard, "Of records in a folder")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  CLI::Option_group* filters =
      verb->add_option_group("filters", "Which positions to write, where positions are written");
  filters->add_flag("--skip-checks", settings.filters.in_check, "Not those in check");
  filters->add_flag("--skip-noisy", settings.filters.noisy, "Not those whose move captures or promotes");
  filters->add_flag("--skip-checking-drops", settings.filters.checking_drops,
                    "Not those whose move is a drop that gives check");
  filters->add_option("--skip-plies", settings.filters.first_plies, "Not so many plies after the opening")
      ->check(CLI::Range(0, kMaxGamePlies));
  filters
      ->add_option("--max-score", settings.filters.max_score_cp,
                   "Not those scored beyond, cp; mates included")
      ->check(CLI::Range(0, 32000));
  verb->callback([arguments] { run_convert(*arguments); });
}

}  // namespace farrier
