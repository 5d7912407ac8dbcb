// A vector with a fixed capacity and no allocation.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>

namespace farrier {

template <class T, std::size_t Capacity>
class StaticVector {
 public:
  void push_back(T value) {
    assert(size_ < Capacity);
    items_[size_++] = value;
  }
  void clear() { size_ = 0; }
  /// Shrinks to `size` items; never grows.
  void truncate(std::size_t size) {
    assert(size <= size_);
    size_ = size;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + size_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }

 private:
  std::array<T, Capacity> items_;  // uninitialised beyond size_: move lists are built once a node
  std::size_t size_ = 0;
};

}  // namespace farrier
