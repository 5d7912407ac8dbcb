// A vector with a fixed capacity and no allocation.
#pragma once

#include <cassert>
#include <cstddef>
#include <type_traits>

namespace farrier {

/// Storage beyond the size stays untouched: move lists are built once a node, so filling them would show.
template <class T, std::size_t Capacity>
class StaticVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  static constexpr std::size_t kCapacity = Capacity;

  void push_back(T value) {
    assert(size_ < Capacity);
    begin()[size_++] = value;
  }
  void clear() { size_ = 0; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return begin()[i]; }
  const T& operator[](std::size_t i) const { return begin()[i]; }
  T* begin() { return reinterpret_cast<T*>(storage_); }
  T* end() { return begin() + size_; }
  const T* begin() const { return reinterpret_cast<const T*>(storage_); }
  const T* end() const { return begin() + size_; }

 private:
  alignas(T) std::byte storage_[Capacity * sizeof(T)];
  std::size_t size_ = 0;
};

}  // namespace farrier
