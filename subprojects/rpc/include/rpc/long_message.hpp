// SPDX-License-Identifier: Apache-2.0
// Finds the id of a request that is too long to keep, so that its sender gets an answer.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skillhost {

// Reads a message in pieces and keeps only the current member of the outermost object. Only one
// thread may use it.
class LongMessage {
public:
  // Reads the next piece; the pieces come in order.
  void add(std::string_view piece);
  // Returns the id as JSON text, or "null" if none can be read. A message without a method is no
  // request but an answer, and its id is one of ours, so the result is "null".
  std::string id() const;

private:
  void step(char c);
  void take(char c);
  void endMember();

  static constexpr std::size_t longestToken = 8192; // bytes; an id is shorter
  std::string token_;     // the current name or value of the outermost object, not decoded
  std::string name_, id_; // not decoded
  std::size_t depth_ = 0;
  bool begun_ = false, isObject_ = false, inText_ = false, isEscaped_ = false;
  bool isValue_ = false; // token_ is a value; false: a name
  bool isScalar_ = true; // the value consists of token_ only
  bool hasMethod_ = false, isDoubtful_ = false;
};

} // namespace skillhost
