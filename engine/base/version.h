// Which Farrier this is: for `id name`, records and cards. The commit is read from git when the program is built.
#pragma once

#include <string_view>

namespace farrier {

/// "0.1.0".
std::string_view program_version();
/// The first 12 digits of the commit, with "-dirty" after changes; "unknown" where there was no git at the build.
std::string_view program_commit();

}  // namespace farrier
