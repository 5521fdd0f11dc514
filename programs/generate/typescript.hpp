// SPDX-License-Identifier: Apache-2.0
// Makes TypeScript types from JSON Schemas. Rules that a type cannot express are left out, so that
// a type is at most too wide. Invalid schemas and dangling references become unknown.
#pragma once

#include "schema_document.hpp"
#include "type_names.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace skillhost {

class TypeScript {
public:
  // Adds a type with `name` in PascalCase and `suffix`. Referenced schemas become their own types.
  // Keeps a reference to `schema`. Returns the name of the type.
  std::string add(std::string_view name, std::string_view suffix, const Json &schema);
  // Returns all types, exported, in the order of their addition.
  std::string text();

private:
  struct Document;
  struct Declaration {
    std::shared_ptr<Document> document;
    const Json *schema;
    std::string name;
    // The types that it consists of, or is a part of. A cycle among them would be no valid type.
    std::set<std::size_t> bare;
  };
  class Writer;

  std::size_t declare(const std::shared_ptr<Document> &document, const Json &schema,
                      std::string name);

  TypeNames names_;
  std::deque<Declaration> declarations_;
};

} // namespace skillhost
