// SPDX-License-Identifier: Apache-2.0
// TypeScript types from JSON Schemas. What a schema says and a type cannot is left out, so that a
// type is at most too wide; what is no schema, or leads nowhere, is unknown.
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
  // A type called `name` in PascalCase and `suffix`; what the schema refers to becomes types of
  // its own. Keeps `schema`. Returns its name.
  std::string add(std::string_view name, std::string_view suffix, const Json &schema);
  // All of them, exported, in the order in which they came.
  std::string text();

private:
  struct Document;
  struct Declaration {
    std::shared_ptr<Document> document;
    const Json *schema;
    std::string name;
    // Those that it is nothing but, or a part of: a circle of these would be no type.
    std::set<std::size_t> bare;
  };
  class Writer;

  std::size_t declare(const std::shared_ptr<Document> &document, const Json &schema,
                      std::string name);

  TypeNames names_;
  std::deque<Declaration> declarations_;
};

} // namespace skillhost
