// SPDX-License-Identifier: Apache-2.0
#include "typescript.hpp"

#include "schema_type.hpp"

#include <utility>

namespace skillhost {
namespace {

// Returns Node for "#/$defs/Node".
std::string_view lastSegment(std::string_view reference) {
  const std::size_t slash = reference.find_last_of("/#");
  return slash == std::string_view::npos ? reference : reference.substr(slash + 1);
}

} // namespace

struct TypeScript::Document {
  explicit Document(const Json &root) : schema(root) {}

  SchemaDocument schema;
  std::string prefix; // prefix for the names of referenced types
  std::map<const Json *, std::size_t> declared;
};

// Finds or declares the types that a declaration refers to.
class TypeScript::Writer final : public SchemaReferences {
public:
  Writer(TypeScript &types, std::size_t number) : types_(types), number_(number) {}

  std::string typeFor(const std::string &reference, bool guarded) override {
    const std::shared_ptr<Document> document = types_.declarations_[number_].document;
    const SchemaDocument::Reference found = document->schema.resolve(reference);
    if (found.target == nullptr) return {};
    const auto known = document->declared.find(found.target);
    const std::size_t target =
        known != document->declared.end()
            ? known->second
            : types_.declare(
                  document, *found.target,
                  types_.names_.take(document->prefix, pascalCase(lastSegment(reference))));
    if (guarded) return types_.declarations_[target].name;
    types_.declarations_[number_].bare.insert(target);
    return cut_.contains(target) ? std::string{} : types_.declarations_[target].name;
  }
  // Leaves out references that would make a type depend on itself.
  void findCircles() {
    for (const std::size_t target : types_.declarations_[number_].bare)
      if (reaches(target)) cut_.insert(target);
  }

private:
  bool reaches(std::size_t from) const {
    std::set<std::size_t> seen;
    std::vector<std::size_t> next{from};
    while (!next.empty()) {
      const std::size_t at = next.back();
      next.pop_back();
      if (at == number_) return true;
      if (seen.insert(at).second)
        next.insert(next.end(), types_.declarations_[at].bare.begin(),
                    types_.declarations_[at].bare.end());
    }
    return false;
  }

  TypeScript &types_;
  const std::size_t number_;
  std::set<std::size_t> cut_;
};

std::size_t TypeScript::declare(const std::shared_ptr<Document> &document, const Json &schema,
                                std::string name) {
  const std::size_t number = declarations_.size();
  declarations_.push_back({document, &schema, std::move(name), {}});
  document->declared.emplace(&schema, number);
  return number;
}

std::string TypeScript::add(std::string_view name, std::string_view suffix, const Json &schema) {
  const auto document = std::make_shared<Document>(schema);
  document->prefix = names_.take(name, suffix);
  return declarations_[declare(document, schema, document->prefix)].name;
}

std::string TypeScript::text() {
  // Writing a type may declare more at the end of the list, so this loop finds them all.
  for (std::size_t i = 0; i < declarations_.size(); ++i) {
    Writer writer(*this, i);
    schemaType(*declarations_[i].schema, writer);
  }
  std::string text;
  for (std::size_t i = 0; i < declarations_.size(); ++i) {
    Writer writer(*this, i);
    writer.findCircles();
    text += schemaComment(*declarations_[i].schema, {});
    text += "export type " + declarations_[i].name + " = " +
            schemaType(*declarations_[i].schema, writer).text + ";\n\n";
  }
  return text;
}

} // namespace skillhost
