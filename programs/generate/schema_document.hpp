// SPDX-License-Identifier: Apache-2.0
// A JSON Schema (draft 4 to 2020-12) with internal references.
#pragma once

#include "ground/json.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace skillhost {

// Refers to the given schema. Immutable.
class SchemaDocument {
public:
  explicit SchemaDocument(const Json &root);

  const Json &root() const noexcept { return *root_; }
  // The target of a `$ref` or similar in this document, and its text; a null target: there is none
  // here.
  struct Reference {
    const Json *target = nullptr;
    std::string text;
  };
  Reference resolve(const std::string &reference) const;
  // Returns the reference in a schema; empty: none.
  static std::string referenceIn(const Json &schema);

private:
  void learn(const Json &part, int depth);

  const Json *root_;
  std::map<std::string, const Json *> named_; // by $id and by #anchor
};

// Returns an equal value with the members of every object sorted by name, and with lists sorted
// whose order means nothing.
Json canonicalJson(const Json &value);

} // namespace skillhost
