#include "engine/base/page_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace farrier {
namespace {

constexpr std::size_t kHugePage = std::size_t{1} << 21;
/// What one thread clears while another would still be starting.
constexpr std::size_t kBytesPerClearingThread = std::size_t{1} << 26;

constexpr std::size_t rounded_up(std::size_t bytes) {
  return (bytes + kHugePage - 1) / kHugePage * kHugePage;
}

}  // namespace

PageMemory::PageMemory(std::size_t bytes) {
  if (bytes == 0) return;
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) throw std::bad_alloc();
  // One huge page more than asked for holds an aligned start; what lies outside goes back.
  const std::size_t kept = rounded_up(bytes);
  void* mapped =
      ::mmap(nullptr, kept + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  char* const begin = static_cast<char*>(mapped);
  const std::size_t before =
      rounded_up(reinterpret_cast<std::uintptr_t>(begin)) - reinterpret_cast<std::uintptr_t>(begin);
  if (before > 0) ::munmap(begin, before);
  if (before < kHugePage) ::munmap(begin + before + kept, kHugePage - before);
  data_ = begin + before;
  bytes_ = kept;
#ifdef MADV_HUGEPAGE
  ::madvise(data_, bytes_, MADV_HUGEPAGE);  // refused where the kernel has none: then small pages serve
#endif
}

PageMemory::~PageMemory() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

void PageMemory::clear() {
  const std::size_t wanted = std::min<std::size_t>(std::max(std::thread::hardware_concurrency(), 1U),
                                                   bytes_ / kBytesPerClearingThread);
  std::vector<std::thread> helpers;
  std::size_t from = 0;
  try {
    for (std::size_t i = 1; i < wanted; ++i) {
      const std::size_t part = bytes_ / wanted;
      helpers.emplace_back([begin = static_cast<char*>(data_) + from, part] { std::memset(begin, 0, part); });
      from += part;
    }
  } catch (const std::system_error&) {
    // The system gives no more threads: this one clears what is left.
  }
  if (data_ != nullptr) std::memset(static_cast<char*>(data_) + from, 0, bytes_ - from);
  for (std::thread& helper : helpers) helper.join();
}

std::size_t available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    constexpr std::string_view kKey = "MemAvailable:";
    if (line.starts_with(kKey)) return std::stoull(line.substr(kKey.size())) * 1024;
  }
  return std::numeric_limits<std::size_t>::max();
}

}  // namespace farrier
