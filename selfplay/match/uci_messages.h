// What UCI engines say, line by line, as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/search/score.h"

namespace farrier {

/// The words of a line.
std::vector<std::string_view> words_of(std::string_view line);

/// What a search has said of itself; later lines overwrite what they tell anew.
struct UciInfo {
  std::optional<Score> score_cp_stm;  // mates as in engine/search/score.h
  int depth = 0;
  std::uint64_t nodes = 0;

  /// Reads a line "info ...". Lines of the second and further MultiPV moves are passed over, and bounds don't
  /// replace scores.
  void read(std::string_view line);

 private:
  bool exact_ = false;
};

/// An "option name ..." line.
struct UciOption {
  std::string name;
  std::string type;
  std::vector<std::string> choices;  // of a combo
};
std::optional<UciOption> parse_uci_option(std::string_view line);

/// Names of options don't distinguish case.
bool same_option_name(std::string_view a, std::string_view b);

/// Whether the text has the form of a move, legal or not: "e2e4", "a7a8m", "N@f3".
bool has_form_of_move(std::string_view text);

}  // namespace farrier
