// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value or a Failure, for the request path, where nothing throws.
#pragma once

#include "ground/fault.hpp"

#include <string>
#include <utility>
#include <variant>

namespace skillhost {

// The reason of a failure, in words for the caller. Never contains a secret.
struct Failure {
  Fault fault = Fault::Internal;
  std::string message;
};

template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Failure failure) : state_(std::in_place_index<1>, std::move(failure)) {}
  Result(Fault fault, std::string message) : Result(Failure{fault, std::move(message)}) {}

  explicit operator bool() const noexcept { return state_.index() == 0; }
  // Only valid when true.
  T &operator*() & { return *std::get_if<0>(&state_); }
  const T &operator*() const & { return *std::get_if<0>(&state_); }
  T &&operator*() && { return std::move(*std::get_if<0>(&state_)); }
  T *operator->() { return std::get_if<0>(&state_); }
  const T *operator->() const { return std::get_if<0>(&state_); }
  // Only valid when false.
  const Failure &failure() const & { return *std::get_if<1>(&state_); }
  Failure &&failure() && { return std::move(*std::get_if<1>(&state_)); }

private:
  std::variant<T, Failure> state_;
};

struct Done {};
using Status = Result<Done>;

} // namespace skillhost
