// SPDX-License-Identifier: Apache-2.0
#include "example_value.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

constexpr std::size_t maxValues = 300, maxParts = 50, maxBranches = 16, maxTextLength = 1'000;
constexpr std::size_t maxExampleElements = 20;
constexpr int maxValueDepth = 12;

struct Format {
  std::string_view name, text;
};
constexpr std::array formats{
    Format{"date-time", "2025-01-31T12:00:00Z"},
    Format{"date", "2025-01-31"},
    Format{"time", "12:00:00Z"},
    Format{"duration", "PT1H"},
    Format{"email", "user@example.com"},
    Format{"idn-email", "user@example.com"},
    Format{"hostname", "example.com"},
    Format{"idn-hostname", "example.com"},
    Format{"ipv4", "192.0.2.1"},
    Format{"ipv6", "2001:db8::1"},
    Format{"uri", "https://example.com/"},
    Format{"url", "https://example.com/"},
    Format{"iri", "https://example.com/"},
    Format{"uri-reference", "/path"},
    Format{"iri-reference", "/path"},
    Format{"uri-template", "/path/{id}"},
    Format{"uuid", "123e4567-e89b-12d3-a456-426614174000"},
    Format{"json-pointer", "/path"},
    Format{"relative-json-pointer", "1"},
    Format{"regex", "^a+$"},
};

// The schemas that a value has to satisfy together: one, the target of its reference, and its
// allOf.
using Parts = std::vector<const Json *>;

const Json *firstOf(const Parts &parts, const char *key) {
  for (const Json *part : parts)
    if (const auto member = part->find(key); member != part->end()) return &*member;
  return nullptr;
}

class ExampleMaker {
public:
  explicit ExampleMaker(const SchemaDocument &document) : document_(document) {}

  ExampleValue make(const Json &schema) {
    if (!schema.is_object() || depth_ >= maxValueDepth || ++made_ > maxValues)
      return {"example",
              schema == false ? Fit::No : SchemaCheck(document_).check(schema, "example")};
    ++depth_;
    ExampleValue best = tried(schema);
    --depth_;
    return best;
  }

private:
  ExampleValue tried(const Json &schema) {
    ExampleValue best;
    const auto fits = [&](Json value) {
      const Fit fit = SchemaCheck(document_).check(schema, value);
      if (fit < best.fit) best = {std::move(value), fit};
      return best.fit == Fit::Yes;
    };
    Parts parts;
    gather(schema, parts);
    for (const char *key : {"const", "example", "default"})
      if (const Json *value = firstOf(parts, key); value != nullptr && fits(*value)) return best;
    for (const char *key : {"examples", "enum"})
      if (const Json *values = firstOf(parts, key); values != nullptr && values->is_array())
        for (std::size_t i = 0; i < std::min(values->size(), maxBranches); ++i)
          if (fits((*values)[i])) return best;
    for (const Parts &whole : branches(parts))
      for (const std::string &kind : kinds(whole))
        if (fits(ofKind(kind, whole))) return best;
    return best;
  }

  void gather(const Json &schema, Parts &parts) {
    if (!schema.is_object() || parts.size() >= maxParts ||
        std::find(parts.begin(), parts.end(), &schema) != parts.end())
      return;
    parts.push_back(&schema);
    if (const std::string reference = SchemaDocument::referenceIn(schema); !reference.empty())
      if (const Json *target = document_.resolve(reference).target) gather(*target, parts);
    if (const auto all = schema.find("allOf"); all != schema.end() && all->is_array())
      for (const Json &one : *all) gather(one, parts);
  }

  // Returns a list of parts for each alternative of the first choice, or the parts as they are.
  std::vector<Parts> branches(const Parts &parts) {
    std::vector<Parts> whole;
    for (const char *key : {"anyOf", "oneOf"}) {
      const Json *choices = firstOf(parts, key);
      if (choices == nullptr || !choices->is_array()) continue;
      for (std::size_t i = 0; i < std::min(choices->size(), maxBranches); ++i) {
        Parts with = parts;
        gather((*choices)[i], with);
        whole.push_back(std::move(with));
      }
    }
    if (whole.empty()) whole.push_back(parts);
    return whole;
  }

  static std::vector<std::string> kinds(const Parts &parts) {
    // The last part is the most specific, so it is asked first.
    for (const Json *part : std::ranges::reverse_view(parts)) {
      const auto kind = part->find("type");
      if (kind == part->end()) continue;
      if (kind->is_string()) return {kind->get<std::string>()};
      std::vector<std::string> names;
      if (kind->is_array())
        for (const Json &one : *kind)
          if (one.is_string() && names.size() < 7) names.push_back(one.get<std::string>());
      if (!names.empty()) return names;
    }
    if (firstOf(parts, "properties") != nullptr || firstOf(parts, "required") != nullptr)
      return {"object"};
    if (firstOf(parts, "items") != nullptr || firstOf(parts, "prefixItems") != nullptr)
      return {"array"};
    return {"string", "integer", "object", "array", "boolean", "null"};
  }

  Json ofKind(const std::string &kind, const Parts &parts) {
    if (kind == "object") return object(parts);
    if (kind == "array") return array(parts);
    if (kind == "string") return text(parts);
    if (kind == "integer" || kind == "number") return number(parts, kind == "integer");
    if (kind == "boolean") return true;
    return nullptr;
  }

  Json object(const Parts &parts) {
    std::map<std::string, Json> members; // each with all of its schemas
    std::vector<std::string> wanted;
    for (const Json *part : parts) {
      if (const auto all = part->find("properties"); all != part->end() && all->is_object())
        for (const auto &[name, schema] : all->items()) members[name]["allOf"].push_back(schema);
      if (const auto names = part->find("required"); names != part->end() && names->is_array())
        for (const Json &name : *names)
          if (name.is_string()) wanted.push_back(name.get<std::string>());
    }
    const Json *further = firstOf(parts, "additionalProperties");
    const bool any = !wanted.empty();
    if (!any && !members.empty()) wanted.push_back(members.begin()->first);
    std::sort(wanted.begin(), wanted.end());
    Json object = Json::object();
    for (const std::string &name : wanted) {
      const auto member = members.find(name);
      const Json free = Json::object();
      const ExampleValue value =
          make(member == members.end()               ? (further != nullptr ? *further : free)
               : member->second["allOf"].size() == 1 ? member->second["allOf"][0]
                                                     : member->second);
      // An optional member is only shown if its value certainly fits.
      if (any || value.fit == Fit::Yes) object[name] = value.value;
    }
    return object;
  }

  Json array(const Parts &parts) {
    const Json *minimum = firstOf(parts, "minItems"), *maximum = firstOf(parts, "maxItems");
    std::size_t count =
        minimum != nullptr && minimum->is_number_unsigned() ? minimum->get<std::size_t>() : 1;
    const Json *first = firstOf(parts, "prefixItems"), *rest = firstOf(parts, "items");
    if (first == nullptr && rest != nullptr && rest->is_array()) {
      first = rest;
      rest = firstOf(parts, "additionalItems");
    }
    if (first != nullptr && first->is_array()) count = std::max(count, first->size());
    if (maximum != nullptr && maximum->is_number_unsigned())
      count = std::min(count, maximum->get<std::size_t>());
    Json list = Json::array();
    const Json free = Json::object();
    for (std::size_t i = 0; i < std::min(count, maxExampleElements); ++i) {
      const bool named = first != nullptr && first->is_array() && i < first->size();
      list.push_back(make(named ? (*first)[i] : rest != nullptr ? *rest : free).value);
    }
    // All items are made from the same schema, so vary them if they must be unique.
    if (const Json *unique = firstOf(parts, "uniqueItems"); unique != nullptr && *unique == true)
      for (std::size_t i = 1; i < list.size(); ++i) {
        if (list[i].is_string()) list[i] = list[i].get<std::string>() + ' ' + std::to_string(i + 1);
        if (list[i].is_number_integer())
          list[i] = list[i].get<std::int64_t>() + static_cast<std::int64_t>(i);
      }
    return list;
  }

  static Json text(const Parts &parts) {
    std::string text = "example";
    if (const Json *format = firstOf(parts, "format"); format != nullptr && format->is_string())
      for (const Format &one : formats)
        if (one.name == format->get_ref<const std::string &>()) text = one.text;
    const Json *minimum = firstOf(parts, "minLength"), *maximum = firstOf(parts, "maxLength");
    if (minimum != nullptr && minimum->is_number_unsigned() &&
        minimum->get<std::size_t>() <= maxTextLength)
      text.resize(std::max(text.size(), minimum->get<std::size_t>()), 'x');
    if (maximum != nullptr && maximum->is_number_unsigned() &&
        maximum->get<std::size_t>() < text.size())
      text.resize(maximum->get<std::size_t>());
    return text;
  }

  static Json number(const Parts &parts, bool whole) {
    const auto limit = [&](const char *key, double otherwise) {
      const Json *one = firstOf(parts, key);
      return one != nullptr && one->is_number() ? one->get<double>() : otherwise;
    };
    const double step = limit("multipleOf", whole ? 1 : 0);
    double value =
        std::max(limit("minimum", 1), limit("exclusiveMinimum", 0.5) + (whole ? 1 : 0.5));
    if (firstOf(parts, "minimum") != nullptr && firstOf(parts, "exclusiveMinimum") == nullptr)
      value = limit("minimum", 1);
    const Json *maximum = firstOf(parts, "maximum"), *below = firstOf(parts, "exclusiveMaximum");
    if (maximum != nullptr && maximum->is_number()) value = std::min(value, maximum->get<double>());
    if (below != nullptr && below->is_number() && value >= below->get<double>())
      value = below->get<double>() - (whole ? 1 : 0.5);
    if (step > 0) value = std::ceil(value / step) * step;
    if (std::trunc(value) == value && std::abs(value) < 9e15)
      return static_cast<std::int64_t>(value);
    return value;
  }

  const SchemaDocument &document_;
  std::size_t made_ = 0;
  int depth_ = 0;
};

} // namespace

ExampleValue exampleValue(const Json &schema) {
  const SchemaDocument document(schema);
  return ExampleMaker(document).make(schema);
}

} // namespace skillhost
