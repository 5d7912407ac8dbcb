#include "engine/base/page_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>

namespace farrier {
namespace {

TEST(PageMemory, IsZeroedAlignedAndAtLeastAsLargeAsAsked) {
  for (std::size_t bytes : {std::size_t{1}, std::size_t{1} << 21, (std::size_t{1} << 21) + 1}) {
    const PageMemory memory(bytes);
    ASSERT_GE(memory.size(), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % (std::size_t{1} << 21), 0U);
    const char* const begin = static_cast<const char*>(memory.data());
    EXPECT_EQ(std::count(begin, begin + memory.size(), 0), static_cast<std::ptrdiff_t>(memory.size()));
  }
}

TEST(PageMemory, ClearsItsLastByteToo) {
  PageMemory memory(std::size_t{150} << 20);
  char* const begin = static_cast<char*>(memory.data());
  std::memset(begin, 7, memory.size());
  memory.clear();
  EXPECT_EQ(std::count(begin, begin + memory.size(), 0), static_cast<std::ptrdiff_t>(memory.size()));
}

TEST(PageMemory, MoreThanAnAddressSpaceIsRefused) {
  EXPECT_THROW(PageMemory(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
  EXPECT_THROW(PageMemory(std::size_t{1} << 60), std::bad_alloc);
}

}  // namespace
}  // namespace farrier
