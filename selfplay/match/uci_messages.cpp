#include "selfplay/match/uci_messages.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace farrier {
namespace {

template <class T>
std::optional<T> number(std::string_view word) {
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

Score mate_score(int moves) {
  const int limit = kMaxPly / 2;
  return moves > 0 ? mate_in(2 * std::min(moves, limit) - 1) : mated_in(2 * std::min(-moves, limit - 1));
}

bool is_square(std::string_view text) {
  return text.size() == 2 && text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8';
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin < line.size();) {
    begin = line.find_first_not_of(" \t", begin);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

void UciInfo::read(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line);
  UciInfo told;
  bool is_bound = false, first = true;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto value = [&](std::size_t ahead) {
      return i + ahead < words.size() ? words[i + ahead] : std::string_view();
    };
    if (words[i] == "string" || words[i] == "pv" || words[i] == "refutation") break;
    if (words[i] == "multipv") first = number<int>(value(1)).value_or(1) == 1;
    if (words[i] == "depth") told.depth = number<int>(value(1)).value_or(0);
    if (words[i] == "nodes") told.nodes = number<std::uint64_t>(value(1)).value_or(0);
    if (words[i] == "lowerbound" || words[i] == "upperbound") is_bound = true;
    if (words[i] != "score") continue;
    const std::optional<int> score = number<int>(value(2));
    if (score && value(1) == "cp") told.score_cp_stm = std::clamp(*score, -kMaxEval, kMaxEval);
    if (score && value(1) == "mate") told.score_cp_stm = mate_score(*score);
  }
  if (told.nodes > 0) nodes = told.nodes;
  if (!first) return;
  if (told.depth > 0 && told.score_cp_stm) depth = told.depth;
  if (told.score_cp_stm && (!is_bound || !exact_)) {
    score_cp_stm = told.score_cp_stm;
    exact_ = !is_bound;
  }
}

std::optional<UciOption> parse_uci_option(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.size() < 4 || words[0] != "option" || words[1] != "name") return std::nullopt;
  UciOption option;
  std::size_t i = 2;
  for (; i < words.size() && words[i] != "type"; ++i)
    option.name += (option.name.empty() ? "" : " ") + std::string(words[i]);
  if (i + 1 >= words.size() || option.name.empty()) return std::nullopt;
  option.type = words[i + 1];
  for (; i + 1 < words.size(); ++i)
    if (words[i] == "var") option.choices.emplace_back(words[i + 1]);
  return option;
}

bool same_option_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

bool has_form_of_move(std::string_view text) {
  if (text.size() == 4 && text[1] == '@') return is_letter(text[0]) && is_square(text.substr(2));
  return (text.size() == 4 || (text.size() == 5 && is_letter(text[4]))) && is_square(text.substr(0, 2)) &&
         is_square(text.substr(2, 2));
}

}  // namespace farrier
