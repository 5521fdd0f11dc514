// SPDX-License-Identifier: Apache-2.0
// A column is one of the arrays of a segment. While the segment is built, the column owns its
// values. Once the segment has a file, the values lie in the bytes of that file, which all
// processes share.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace skillhost::keyword {

// Any thread may read a column that no thread changes.
template <class Value> class Column {
  static_assert(std::is_trivially_copyable_v<Value>);

public:
  using value_type = Value;

  Column() = default;
  Column(const Column &other) : own_(other.begin(), other.end()), values_(own_) {}
  Column(Column &&other) noexcept
      : own_(std::move(other.own_)), values_(std::exchange(other.values_, {})) {}
  Column &operator=(Column other) noexcept {
    own_.swap(other.own_);
    std::swap(values_, other.values_);
    return *this;
  }
  ~Column() = default;

  std::size_t size() const noexcept { return values_.size(); }
  bool empty() const noexcept { return values_.empty(); }
  const Value *data() const noexcept { return values_.data(); }
  const Value *begin() const noexcept { return values_.data(); }
  const Value *end() const noexcept { return values_.data() + values_.size(); }
  const Value &operator[](std::size_t place) const noexcept { return values_[place]; }
  const Value &front() const noexcept { return values_.front(); }
  const Value &back() const noexcept { return values_.back(); }

  // The functions below are for columns that own their values.
  Value &edit(std::size_t place) noexcept { return own_[place]; }
  void push_back(const Value &value) {
    own_.push_back(value);
    values_ = own_;
  }
  void append(std::span<const Value> values) {
    own_.insert(own_.end(), values.begin(), values.end());
    values_ = own_;
  }
  void resize(std::size_t size) {
    own_.resize(size);
    values_ = own_;
  }
  void reserve(std::size_t size) {
    own_.reserve(size);
    values_ = own_;
  }
  void shrink() {
    own_.shrink_to_fit();
    values_ = own_;
  }

  // From now on the values are these, which somebody else owns.
  void attach(std::span<const Value> values) noexcept {
    std::vector<Value>().swap(own_);
    values_ = values;
  }

private:
  std::vector<Value> own_; // empty after attach()
  std::span<const Value> values_;
};

} // namespace skillhost::keyword
