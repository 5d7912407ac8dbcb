#include "trainer/settings_difference.h"

#include <set>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace farrier {

std::string settings_difference(const SettingsByName& then, const SettingsByName& now) {
  std::set<std::string> names;
  for (const auto* settings : {&then, &now})
    for (const auto& [name, value] : *settings) names.insert(name);
  std::vector<std::string> differences;
  const auto value_in = [](const auto& settings, const std::string& name) {
    const auto found = settings.find(name);
    return found == settings.end() ? std::string("nothing") : found->second;
  };
  for (const std::string& name : names) {
    const std::string before = value_in(then, name), after = value_in(now, name);
    if (before != after) differences.push_back(fmt::format("{}: then {}, now {}", name, before, after));
  }
  return fmt::format("{}", fmt::join(differences, "; "));
}

}  // namespace farrier
