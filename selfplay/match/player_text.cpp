#include "selfplay/match/player_text.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <filesystem>
#include <tuple>

#include "engine/base/error.h"

namespace farrier {
namespace {

constexpr std::string_view kKeys =
    "cmd, args, dir, name, option.NAME, restart, net, hash, noise, param.NAME, nodes, soft, depth, movetime, "
    "tc";

template <class T>
T number_of(const std::string& word, std::string_view value, T low, T high) {
  T number{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || end != value.data() + value.size() || number < low || number > high)
    throw WrongCall("player: " + word, fmt::format("must be a number from {} to {}", low, high));
  return number;
}

bool yes_of(const std::string& word, std::string_view value) {
  if (value == "yes") return true;
  if (value != "no") throw WrongCall("player: " + word, "must be yes or no");
  return false;
}

/// Journals and reports are JSON, which holds no other text.
void require_utf8(std::string_view text) {
  try {
    std::ignore = nlohmann::json(text).dump();
  } catch (const nlohmann::json::type_error&) {
    throw WrongCall("player: " + std::string(text), "is not UTF-8; rename the file, or give it a link");
  }
}

/// One player's words, read into his spec.
class PlayerReader {
 public:
  explicit PlayerReader(const CommonPlayerSettings& common) : common_(common), spec_(common.spec) {
    spec_.name.clear();
    spec_.net.reset();
    spec_.engine.reset();
    limits_.hard_nodes.reset();
  }

  void read_evaluation(const std::string& word) {
    spec_.is_random = word == "random";
    if (word != "material" && word != "random") spec_.net = std::make_shared<const Net>(read_net(word));
    evaluation_ = word;
  }

  void read_setting(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (equals == std::string::npos || !(read_player(word, key, value) || read_limit(word, key, value)))
      throw WrongCall("player: " + word, fmt::format("is no setting of a player; there are {}", kKeys));
  }

  PlayerSpec finish() {
    if (!command_.child.program.empty()) {
      if (!evaluation_.empty())
        throw WrongCall("player: " + evaluation_, "cannot be given together with cmd=");
      if (in_process_)
        throw WrongCall("player: " + command_.child.program,
                        "takes option.Hash, not hash, noise or param.NAME");
      spec_.engine = command_;
    } else if (evaluation_.empty()) {
      throw WrongCall("player", "a net file, \"material\", \"random\" or cmd=PROGRAM must be given");
    } else if (engine_only_) {
      throw WrongCall("player: " + evaluation_, "args, dir, option.NAME and restart need cmd=PROGRAM");
    }
    if (spec_.name.empty()) spec_.name = own_name();
    if (limits_.has_limit()) {
      spec_.hard_nodes = limits_.hard_nodes;
      spec_.soft_nodes = limits_.soft_nodes;
      spec_.depth = limits_.depth;
      spec_.move_time = limits_.move_time;
      spec_.clock = limits_.clock;
      if (soft_) make_nodes_soft(spec_);
    } else if (soft_ || common_.soft) {
      make_nodes_soft(spec_);
    }
    return spec_;
  }

 private:
  bool read_player(const std::string& word, const std::string& key, const std::string& value) {
    if (key == "cmd") {
      command_.child.program = value;
    } else if (key == "args") {
      engine_only_ = true;
      command_.child.args = split_words(value);
    } else if (key == "dir") {
      engine_only_ = true;
      command_.child.folder = value;
    } else if (key == "restart") {
      engine_only_ = true;
      command_.restart_every_game = yes_of(word, value);
    } else if (key.starts_with("option.")) {
      engine_only_ = true;
      command_.options.emplace_back(key.substr(7), value);
    } else if (key == "name") {
      spec_.name = value;
    } else if (key == "net") {
      read_evaluation(value);
    } else if (key == "hash") {
      in_process_ = true;
      spec_.hash_mib = number_of<std::size_t>(word, value, 1, 65536);
    } else if (key.starts_with("param.")) {
      in_process_ = true;
      read_parameter(word, std::string_view(key).substr(6), value);
    } else if (key == "noise") {
      in_process_ = true;
      spec_.material_noise_cp = number_of(word, value, 0, 200);
    } else {
      return false;
    }
    return true;
  }

  void read_parameter(const std::string& word, std::string_view name, const std::string& value) {
    for (const Tunable& tunable : kTunables) {
      if (tunable.name != name) continue;
      spec_.params.*tunable.value = number_of(word, value, tunable.low, tunable.high);
      return;
    }
    throw WrongCall("player: " + word, "the search has no such parameter; `farrier tune --list` tells them");
  }

  bool read_limit(const std::string& word, const std::string& key, const std::string& value) {
    if (key == "nodes") {
      limits_.hard_nodes = number_of<std::uint64_t>(word, value, 1, std::uint64_t{1} << 40);
    } else if (key == "soft") {
      soft_ = yes_of(word, value);
    } else if (key == "depth") {
      limits_.depth = number_of(word, value, 1, kMaxPly);
    } else if (key == "movetime") {
      limits_.move_time = std::chrono::milliseconds(number_of<std::int64_t>(word, value, 1, 86400000));
    } else if (key == "tc") {
      const Result<TimeControl> control = parse_time_control(value);
      if (!control) throw WrongCall("player: " + word, control.reason());
      limits_.clock = *control;
    } else {
      return false;
    }
    return true;
  }

  std::string own_name() const {
    if (spec_.engine) return std::filesystem::path(spec_.engine->child.program).filename().string();
    if (spec_.net || spec_.is_random || spec_.material_noise_cp == 0) return evaluation_;
    return fmt::format("{} with {} cp of noise", evaluation_, spec_.material_noise_cp);
  }

  const CommonPlayerSettings& common_;
  PlayerSpec spec_;
  PlayerSpec limits_;  // of his own
  EngineCommand command_;
  std::string evaluation_;
  bool soft_ = false;
  bool engine_only_ = false;
  bool in_process_ = false;
};

}  // namespace

PlayerSpec parse_player(std::string_view text, const CommonPlayerSettings& common) {
  require_utf8(text);
  PlayerReader reader(common);
  std::error_code none_such;                       // a text too long for a path, for one
  if (std::filesystem::exists(text, none_such)) {  // a path may hold blanks
    reader.read_evaluation(std::string(text));
    return reader.finish();
  }
  bool first = true;
  for (const std::string& word : split_words(text)) {
    if (first && word.find('=') == std::string::npos)
      reader.read_evaluation(word);
    else
      reader.read_setting(word);
    first = false;
  }
  return reader.finish();
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = '\0';
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n';
    if (quote == '\0' && is_blank) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (quote == '\0' && (c == '"' || c == '\''))
      quote = c;
    else if (c == quote)
      quote = '\0';
    else
      words.back() += c;
  }
  if (quote != '\0') throw WrongCall("player: " + std::string(text), "holds a quote that never ends");
  return words;
}

void make_nodes_soft(PlayerSpec& spec) {
  if (!spec.hard_nodes) return;
  spec.soft_nodes = spec.hard_nodes;
  spec.hard_nodes = 20 * *spec.hard_nodes;
}

}  // namespace farrier
