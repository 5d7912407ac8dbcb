#include "engine/protocol/options.h"

#include <algorithm>
#include <cctype>

#include "engine/base/number.h"

namespace farrier {
namespace {

bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// Those of the choices, or `true` and `false`, that `value` names whatever its case; empty if none.
std::string find_choice(const std::vector<std::string>& choices, std::string_view value) {
  for (const std::string& choice : choices)
    if (equal_but_for_case(choice, value)) return choice;
  return {};
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string set_value(const EngineOption& option, const std::string& value) {
  static const std::vector<std::string> kTruths{"true", "false"};
  switch (option.kind) {
    case EngineOption::Kind::Spin: {
      const auto number = to_number(value);
      if (!number) return "'" + value + "' is no number; the option " + option.name + " stays as it was";
      option.set(std::to_string(std::clamp(*number, option.least, option.most)));
      return {};
    }
    case EngineOption::Kind::Check:
    case EngineOption::Kind::Combo: {
      const auto& choices = option.kind == EngineOption::Kind::Check ? kTruths : option.choices;
      const std::string choice = find_choice(choices, value);
      if (choice.empty())
        return "the option " + option.name + " can't be '" + value + "'; there are " + joined(choices);
      option.set(choice);
      return {};
    }
    case EngineOption::Kind::String:
      option.set(value == "<empty>" ? "" : value);
      return {};
    case EngineOption::Kind::Button:
      option.set("");
      return {};
  }
  return {};
}

}  // namespace

void OptionList::add_spin(std::string name, std::int64_t preset, std::int64_t least, std::int64_t most,
                          std::function<void(std::int64_t)> set) {
  options_.push_back({std::move(name),
                      EngineOption::Kind::Spin,
                      std::to_string(preset),
                      least,
                      most,
                      {},
                      [set = std::move(set)](const std::string& text) { set(*to_number(text)); }});
}

void OptionList::add_check(std::string name, bool preset, std::function<void(bool)> set) {
  options_.push_back({std::move(name),
                      EngineOption::Kind::Check,
                      preset ? "true" : "false",
                      0,
                      0,
                      {},
                      [set = std::move(set)](const std::string& text) { set(text == "true"); }});
}

void OptionList::add_combo(std::string name, std::string preset, std::vector<std::string> choices,
                           std::function<void(const std::string&)> set) {
  options_.push_back({std::move(name), EngineOption::Kind::Combo, std::move(preset), 0, 0, std::move(choices),
                      std::move(set)});
}

void OptionList::add_string(std::string name, std::string preset,
                            std::function<void(const std::string&)> set) {
  options_.push_back(
      {std::move(name), EngineOption::Kind::String, std::move(preset), 0, 0, {}, std::move(set)});
}

void OptionList::add_button(std::string name, std::function<void()> press) {
  options_.push_back({std::move(name),
                      EngineOption::Kind::Button,
                      "",
                      0,
                      0,
                      {},
                      [press = std::move(press)](const std::string&) { press(); }});
}

std::string OptionList::set(std::string_view name, const std::string& value) {
  for (const EngineOption& option : options_)
    if (equal_but_for_case(option.name, name)) return set_value(option, value);
  return "no option is named '" + std::string(name) + "'";
}

}  // namespace farrier
