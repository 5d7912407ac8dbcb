// HDF5 handles that close themselves, and calls that throw: the only words of HDF5 that readers and writers
// use. Include from selfplay/data/*.cpp alone.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

namespace farrier {

/// Held around every use of HDF5, which not every system builds thread-safe. Keeps HDF5 from printing, too.
class H5Lock {
 public:
  H5Lock();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// Throws UserError "place: cannot DO (HDF5's own reason)".
[[noreturn]] void throw_h5_error(const std::string& place, const std::string& action);

/// Owns one HDF5 identifier.
template <herr_t (*Close)(hid_t)>
class H5Handle {
 public:
  H5Handle() = default;
  /// Takes the result of an HDF5 call; a failed one throws, naming `place` (a file) and `action`.
  H5Handle(hid_t id, const std::string& place, const std::string& action) : id_(id) {
    if (id < 0) throw_h5_error(place, action);
  }
  H5Handle(H5Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  H5Handle& operator=(H5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~H5Handle() {
    if (id_ >= 0) Close(id_);
  }

  hid_t id() const { return id_; }
  /// Closes now, so that a failure (a full disk, say) is seen.
  void close(const std::string& place, const std::string& action) {
    if (id_ >= 0 && Close(std::exchange(id_, H5I_INVALID_HID)) < 0) throw_h5_error(place, action);
  }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

using H5File = H5Handle<H5Fclose>;
using H5Group = H5Handle<H5Gclose>;
using H5Dataset = H5Handle<H5Dclose>;
using H5Dataspace = H5Handle<H5Sclose>;
using H5Datatype = H5Handle<H5Tclose>;
using H5Attribute = H5Handle<H5Aclose>;
using H5Properties = H5Handle<H5Pclose>;

/// For calls that return a status.
inline void h5_require(herr_t status, const std::string& place, const std::string& action) {
  if (status < 0) throw_h5_error(place, action);
}

}  // namespace farrier
