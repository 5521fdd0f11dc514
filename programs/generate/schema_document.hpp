// SPDX-License-Identifier: Apache-2.0
// A JSON Schema (draft 4 to 2020-12) whose parts refer to one another.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace skillhost {

// Refers to the schema it is given. Immutable.
class SchemaDocument {
public:
  explicit SchemaDocument(const Json &root);

  const Json &root() const noexcept { return *root_; }
  // What `$ref` (or its like) of `schema` leads to, and how that is written; null target: nowhere
  // in this document.
  struct Reference {
    const Json *target = nullptr;
    std::string text;
  };
  Reference resolve(const std::string &reference) const;
  // The reference in a schema; empty when it has none.
  static std::string referenceIn(const Json &schema);

private:
  void learn(const Json &part, int depth);

  const Json *root_;
  std::map<std::string, const Json *> named_; // by $id, and by #anchor
};

// The same with the members of every object in the order of their names, and those lists whose
// order means nothing in order.
Json canonicalJson(const Json &value);

} // namespace skillhost
