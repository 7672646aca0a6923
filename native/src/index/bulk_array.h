// BulkArray<T>: an array of plain values for millions of elements. It differs from std::vector in
// three ways:
// - It grows without initializing the new elements.
// - Reserved capacity costs no memory until it is touched.
// - trim() releases spare capacity of a large array without a copy.
//
// Every growth invalidates pointers into the array.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "index/bulk_memory.h"

namespace resident {

template <typename T>
class BulkArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;

  BulkArray() = default;
  BulkArray(const BulkArray& other) { append(other); }
  BulkArray(BulkArray&& other) noexcept { swap(other); }
  BulkArray& operator=(BulkArray other) noexcept {
    swap(other);
    return *this;
  }
  ~BulkArray() { BulkMemory::release(data_, capacity_ * sizeof(T)); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }

  void reserve(size_t capacity) {
    if (capacity > capacity_) set_capacity(capacity);
  }
  // Appends `count` elements with unspecified values, and returns the first.
  T* extend(size_t count) {
    if (count > capacity_ - size_) set_capacity(std::max(size_ + count, capacity_ * 2));
    T* first = data_ + size_;
    size_ += count;
    return first;
  }
  void push_back(T value) { *extend(1) = value; }
  // Keeps only the first `size` elements.
  void shrink(size_t size) { size_ = size; }
  // `values` must not point into this array.
  void append(std::span<const T> values) {
    if (!values.empty()) std::memcpy(extend(values.size()), values.data(), values.size_bytes());
  }
  // Releases the capacity beyond size() + `spare` elements.
  void trim(size_t spare = 0) {
    if (capacity_ > size_ + spare) set_capacity(size_ + spare);
  }

 private:
  void set_capacity(size_t capacity) {
    if (capacity > static_cast<size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    data_ = static_cast<T*>(
        BulkMemory::resize(data_, capacity_ * sizeof(T), capacity * sizeof(T), size_ * sizeof(T)));
    capacity_ = capacity;
  }
  void swap(BulkArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace resident
