// Two sets of settings, and what is not the same in both, in words.
#pragma once

#include <map>
#include <string>

namespace farrier {

using SettingsByName = std::map<std::string, std::string>;

/// "batch: then 64, now 128; epochs: then nothing, now 3", empty if they are the same.
std::string settings_difference(const SettingsByName& then, const SettingsByName& now);

}  // namespace farrier
