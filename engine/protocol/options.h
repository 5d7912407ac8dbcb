// The options that a GUI may set, as one list that each protocol writes in its own words.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace farrier {

struct EngineOption {
  enum class Kind { Spin, Check, Combo, String, Button };
  std::string name;
  Kind kind;
  std::string default_text;          // empty for a button
  std::int64_t least = 0, most = 0;  // Spin only
  std::vector<std::string> choices;  // Combo only
  /// Takes a value that fits the kind: a number within the bounds, "true" or "false", one of the choices, any text.
  std::function<void(const std::string&)> set;
};

class OptionList {
 public:
  void add_spin(std::string name, std::int64_t preset, std::int64_t least, std::int64_t most,
                std::function<void(std::int64_t)> set);
  void add_check(std::string name, bool preset, std::function<void(bool)> set);
  void add_combo(std::string name, std::string preset, std::vector<std::string> choices,
                 std::function<void(const std::string&)> set);
  /// An empty text is told to GUIs as `<empty>`, and read so.
  void add_string(std::string name, std::string preset, std::function<void(const std::string&)> set);
  void add_button(std::string name, std::function<void()> press);

  const std::vector<EngineOption>& all() const { return options_; }
  /// Sets the option of that name, whatever its case; spins are clamped to their bounds. Returns a sentence on what
  /// is wrong, empty if it was set; what is wrong changes nothing.
  std::string set(std::string_view name, const std::string& value);

 private:
  std::vector<EngineOption> options_;
};

}  // namespace farrier
