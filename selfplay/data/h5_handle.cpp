#include "selfplay/data/h5_handle.h"

#include <algorithm>

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

}  // namespace

H5Lock::H5Lock() : lock_(h5_mutex()) {
  // Handles close themselves; what HDF5 does besides at exit crashes on a file that could not be written.
  static const herr_t no_exit_handler = H5dont_atexit();
  static_cast<void>(no_exit_handler);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

void throw_h5_error(const std::string& place, const std::string& action) {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  // A failed write tells time, file and buffer over several lines; what the system said is enough.
  const std::string marker = "error message = '";
  if (const auto begin = reason.find(marker); begin != std::string::npos) {
    const auto text = begin + marker.size();
    reason = reason.substr(text, reason.find('\'', text) - text);
  }
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  throw UserError(place, "cannot " + action + (reason.empty() ? "" : " (HDF5: " + reason + ")"));
}

}  // namespace farrier
