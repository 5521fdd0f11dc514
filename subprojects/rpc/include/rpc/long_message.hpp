// SPDX-License-Identifier: Apache-2.0
// Finds the id of a request that is too long to be kept, so that its sender gets an answer to it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost {

// Reads a message piece by piece and keeps nothing but the member at hand of its outermost object.
// Not for several threads at once.
class LongMessage {
public:
  // The pieces in their order.
  void add(std::string_view piece);
  // The id as JSON text; "null" when none can be read: a message without a method is no request,
  // and its id is one of ours.
  std::string id() const;

private:
  void step(char c);
  void take(char c);
  void endMember();

  static constexpr std::size_t longestToken = 8192; // bytes; an id is shorter
  std::string token_;     // the name or value at hand of the outermost object, as it is written
  std::string name_, id_; // as they are written
  std::size_t depth_ = 0;
  bool begun_ = false, isObject_ = false, inText_ = false, isEscaped_ = false;
  bool isValue_ = false; // token_ is a value; false: a name
  bool isScalar_ = true; // nothing but token_ is in this value
  bool hasMethod_ = false, isDoubtful_ = false;
};

} // namespace skillhost
