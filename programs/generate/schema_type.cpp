// SPDX-License-Identifier: Apache-2.0
#include "schema_type.hpp"

#include "schema_document.hpp"
#include "type_names.hpp"

#include <algorithm>
#include <set>

namespace skillhost {
namespace {

constexpr int maxTypeDepth = 48;
constexpr std::size_t maxAlternatives = 500, maxElements = 50, maxDefaultBytes = 100;

const Json *schemaMember(const Json &schema, const char *key) {
  const auto member = schema.find(key);
  return member == schema.end() ? nullptr : &*member;
}

class SchemaTypeWriter {
public:
  explicit SchemaTypeWriter(SchemaReferences &references) : references_(references) {}

  TypeExpression type(const Json &schema) {
    if (schema.is_boolean()) return {schema.get<bool>() ? "unknown" : "never"};
    if (!schema.is_object() || depth_ > maxTypeDepth) return {};
    const Nesting nesting(*this);
    std::vector<TypeExpression> parts{referred(schema), values(schema)};
    if (const Json *all = schemaMember(schema, "allOf"); all != nullptr && all->is_array())
      for (const Json &one : *all) parts.push_back(type(one));
    for (const char *key : {"anyOf", "oneOf"})
      if (const Json *any = schemaMember(schema, key); any != nullptr && any->is_array())
        parts.push_back(alternatives(*any));
    TypeExpression whole = intersectionOf(parts);
    const Json *nullable = schemaMember(schema, "nullable"); // of OpenAPI
    if (nullable == nullptr || *nullable != true) return whole;
    return unionOf({std::move(whole), {"null"}});
  }

private:
  struct Nesting {
    explicit Nesting(SchemaTypeWriter &theWriter) : writer(theWriter) { ++writer.depth_; }
    ~Nesting() { --writer.depth_; }
    Nesting(const Nesting &) = delete;
    Nesting &operator=(const Nesting &) = delete;
    SchemaTypeWriter &writer;
  };
  // Returns the type of a schema within an object or an array.
  TypeExpression innerType(const Json &schema) {
    ++guards_;
    TypeExpression inner = type(schema);
    --guards_;
    return inner;
  }

  TypeExpression referred(const Json &schema) {
    const std::string reference = SchemaDocument::referenceIn(schema);
    if (reference.empty()) return {};
    std::string name = references_.typeFor(reference, guards_ > 0);
    return name.empty() ? TypeExpression{} : TypeExpression{std::move(name)};
  }

  TypeExpression alternatives(const Json &schemas) {
    if (schemas.empty() || schemas.size() > maxAlternatives) return {};
    std::vector<TypeExpression> types;
    for (const Json &one : schemas) types.push_back(type(one));
    return unionOf(types);
  }

  TypeExpression values(const Json &schema) {
    if (const Json *value = schemaMember(schema, "const"); value != nullptr)
      return literalType(*value);
    const Json *choices = schemaMember(schema, "enum");
    if (choices != nullptr && choices->is_array() && !choices->empty() &&
        choices->size() <= maxAlternatives) {
      std::vector<TypeExpression> types;
      for (const Json &one : *choices) types.push_back(literalType(one));
      return unionOf(types);
    }
    const Json *named = schemaMember(schema, "type");
    if (named != nullptr && named->is_string())
      return ofKind(named->get_ref<const std::string &>(), schema);
    if (named != nullptr && named->is_array()) {
      std::vector<TypeExpression> types;
      for (const Json &one : *named)
        types.push_back(one.is_string() ? ofKind(one.get_ref<const std::string &>(), schema)
                                        : TypeExpression{});
      return unionOf(types);
    }
    if (schema.contains("properties") || schema.contains("additionalProperties"))
      return object(schema);
    if (schema.contains("items") || schema.contains("prefixItems")) return array(schema);
    return {};
  }

  TypeExpression ofKind(const std::string &kind, const Json &schema) {
    if (kind == "string" || kind == "boolean" || kind == "null") return {kind};
    if (kind == "number" || kind == "integer") return {"number"};
    if (kind == "object") return object(schema);
    return kind == "array" ? array(schema) : TypeExpression{};
  }

  TypeExpression object(const Json &schema) {
    std::set<std::string> required;
    if (const Json *names = schemaMember(schema, "required"); names != nullptr && names->is_array())
      for (const Json &name : *names)
        if (name.is_string()) required.insert(name.get<std::string>());
    ++indent_;
    const std::string margin(2 * indent_, ' ');
    std::string members;
    const Json *properties = schemaMember(schema, "properties");
    if (properties != nullptr && properties->is_object())
      for (const auto &[name, one] : properties->items()) {
        const bool needed = required.erase(name) != 0;
        members += schemaComment(one, margin) + margin + memberName(name) +
                   (needed ? ": " : "?: ") + innerType(one).text + ";\n";
      }
    for (const std::string &name : required) members += margin + memberName(name) + ": unknown;\n";
    members += furtherMembers(schema, margin, members.empty());
    --indent_;
    return {"{\n" + members + std::string(2 * indent_, ' ') + '}'};
  }

  // An index signature must also fit the named members, and only unknown certainly does.
  std::string furtherMembers(const Json &schema, const std::string &margin, bool alone) {
    const Json *further = schemaMember(schema, "additionalProperties");
    const bool patterns = schema.contains("patternProperties");
    if (further != nullptr && *further == false && !patterns)
      return alone ? margin + "[key: string]: never;\n" : "";
    if (further != nullptr && alone && !patterns)
      return margin + "[key: string]: " + innerType(*further).text + ";\n";
    return further != nullptr || alone || patterns ? margin + "[key: string]: unknown;\n" : "";
  }

  TypeExpression array(const Json &schema) {
    const Json *items = schemaMember(schema, "items"), *first = schemaMember(schema, "prefixItems");
    const Json *rest = items;
    if (first == nullptr && items != nullptr && items->is_array()) { // before 2020-12
      first = items;
      rest = schemaMember(schema, "additionalItems");
    }
    if (first != nullptr && first->is_array() && first->size() <= maxElements)
      return tuple(*first, rest, schema);
    const TypeExpression element =
        items == nullptr || items->is_array() ? TypeExpression{} : innerType(*items);
    return {element.inArray() + "[]"};
  }

  TypeExpression tuple(const Json &first, const Json *rest, const Json &schema) {
    const Json *minimum = schemaMember(schema, "minItems");
    const std::size_t needed =
        minimum != nullptr && minimum->is_number_unsigned() ? minimum->get<std::size_t>() : 0;
    std::string text = "[";
    for (std::size_t i = 0; i < first.size(); ++i) {
      const TypeExpression element = innerType(first[i]);
      text += (i == 0 ? "" : ", ") + (i < needed ? element.text : element.inArray() + '?');
    }
    if (rest == nullptr || *rest != false) {
      const TypeExpression more = rest == nullptr ? TypeExpression{} : innerType(*rest);
      text += (first.empty() ? "..." : ", ...") + more.inArray() + "[]";
    }
    return {text + ']'};
  }

  SchemaReferences &references_;
  int depth_ = 0, guards_ = 0;
  std::size_t indent_ = 0;
};

} // namespace

TypeExpression schemaType(const Json &schema, SchemaReferences &references) {
  return SchemaTypeWriter(references).type(schema);
}

std::string schemaComment(const Json &schema, const std::string &indent) {
  if (!schema.is_object()) return {};
  std::string words;
  const auto say = [&words](const std::string &line) {
    words += (words.empty() ? "" : "\n") + line;
  };
  for (const char *key : {"title", "description"})
    if (const Json *text = schemaMember(schema, key); text != nullptr && text->is_string())
      say(text->get<std::string>());
  if (const Json *format = schemaMember(schema, "format"); format != nullptr && format->is_string())
    say("@format " + format->get<std::string>());
  if (const Json *usual = schemaMember(schema, "default"); usual != nullptr) {
    const std::string text = usual->dump();
    if (text.size() <= maxDefaultBytes) say("@default " + text);
  }
  if (const Json *gone = schemaMember(schema, "deprecated"); gone != nullptr && *gone == true)
    say("@deprecated");
  return docComment(words, indent);
}

} // namespace skillhost
