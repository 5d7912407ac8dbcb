// Large blocks of memory straight from the system, on huge pages where it gives them: random access to a table of many
// small pages spends more time on finding the page than on reading it.
#pragma once

#include <cstddef>
#include <utility>

namespace farrier {

/// A block of zeroed memory, aligned to a huge page. Pages take room only once they are touched.
class PageMemory {
 public:
  PageMemory() = default;
  /// Throws std::bad_alloc if the system has no such block.
  explicit PageMemory(std::size_t bytes);
  ~PageMemory();
  PageMemory(PageMemory&& other) noexcept { swap(other); }
  PageMemory& operator=(PageMemory&& other) noexcept { return swap(other), *this; }

  void* data() const { return data_; }
  std::size_t size() const { return bytes_; }
  /// Zeroes it all, in parallel if it is large; touches every page.
  void clear();

 private:
  void swap(PageMemory& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Bytes that new blocks can take without driving the system out of memory; the most there can be if it does not tell.
std::size_t available_memory();

}  // namespace farrier
