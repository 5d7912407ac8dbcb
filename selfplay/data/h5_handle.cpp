#include "selfplay/data/h5_handle.h"

#include <algorithm>
#include <string_view>

#include "engine/base/error.h"

namespace farrier {
namespace {

std::recursive_mutex& h5_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

/// Keeps the innermost description of HDF5's error stack: the cause, where the outer ones are consequences.
herr_t keep_first(unsigned n, const H5E_error2_t* error, void* reason) {
  if (n == 0 && error->desc != nullptr) *static_cast<std::string*>(reason) = error->desc;
  return 0;
}

/// The system's own words inside a long and broken line of HDF5's: "No space left on device".
std::string system_reason(const std::string& reason) {
  constexpr std::string_view kBefore = "error message = '";
  const std::size_t begin = reason.find(kBefore);
  if (begin == std::string::npos || reason.find("write failed") == std::string::npos) return "";
  const std::string_view rest = std::string_view(reason).substr(begin + kBefore.size());
  return std::string(rest.substr(0, rest.find('\'')));
}

}  // namespace

H5Lock::H5Lock() : lock_(h5_mutex()) {
  // After a write that failed, on a full disk say, HDF5 crashes when it tidies up at the program's end. All handles
  // close themselves, so there is nothing to tidy.
  static const bool keeps_out_of_exit = H5dont_atexit() >= 0;
  static_cast<void>(keeps_out_of_exit);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

void throw_h5_error(const std::string& place, const std::string& action) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  if (const std::string system = system_reason(reason); !system.empty())
    throw UserError(place, "cannot " + action + ": " + system + "; is there room on the disk?");
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  throw UserError(place, "cannot " + action + (reason.empty() ? "" : " (HDF5: " + reason + ")"));
}

}  // namespace farrier
