// SPDX-License-Identifier: Apache-2.0
#include "schema_limits.hpp"

#include "ground/utf8.hpp"
#include "pattern.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace skillhost {
namespace {

using nlohmann::json;

constexpr std::size_t maxSchemaBytes = 256 * 1024;
// valijson recurses once for each schema that it reads. References lengthen its way by the depth of
// what they name.
constexpr std::size_t maxReading = 1024;
// At most so many schemas apply to one value of the document, and they are nested at most so deep.
constexpr std::size_t maxApplied = 100'000, maxAppliedDepth = 64;

std::string quoted(const std::string &text) {
  return '"' + mendUtf8(cutUtf8(text, 60)) + (text.size() > 60 ? "...\"" : "\"");
}

[[noreturn]] void refuse(const std::string &why) { throw std::runtime_error(why); }

std::size_t depthOf(const json &value) {
  std::size_t deepest = 0;
  if (value.is_structured())
    for (const json &member : value) deepest = std::max(deepest, depthOf(member) + 1);
  return deepest;
}

// Lists the schemas in one schema by the values that they apply to.
struct Node {
  json *schema;
  std::vector<std::size_t> same{};      // to the same value
  std::vector<std::size_t> members{};   // one of them to a member of an object
  std::vector<std::size_t> named{};     // each of them to a member of an object, or to its name
  std::vector<std::size_t> items{};     // one of them to an entry of a list
  std::vector<std::size_t> contained{}; // each of them to an entry of a list
};

class Graph {
public:
  explicit Graph(json &root) : root_(root) {
    add(root);
    for (std::size_t at = 0; at < nodes_.size(); ++at) connect(at);
    if (reading_ > maxReading)
      refuse("its references name too many schemas that are deeply nested");
    order();
  }

  void bound(std::size_t documentNesting) const {
    std::vector<std::size_t> before, now(nodes_.size(), 0);
    for (std::size_t depth = 0; depth <= documentNesting; ++depth) {
      before.swap(now);
      now.assign(nodes_.size(), depth == 0 ? 1 : 0);
      // Schemas that apply to the same value come first.
      for (const std::size_t at : std::views::reverse(order_)) {
        const Node &node = nodes_[at];
        std::size_t &count = now[at];
        for (const std::size_t one : node.same) count += now[one];
        if (depth > 0)
          count += std::max(most(node.members, before) + sum(node.named, before),
                            most(node.items, before) + sum(node.contained, before));
        if (count > maxApplied)
          refuse("it would be applied more than " + std::to_string(maxApplied) +
                 " times to one value");
      }
    }
  }

private:
  std::size_t add(json &schema) {
    const auto [found, isNew] = numbers_.try_emplace(&schema, nodes_.size());
    if (isNew) nodes_.push_back({&schema});
    return found->second;
  }

  void addTo(std::vector<std::size_t> Node::*list, std::size_t at, json &schema) {
    if (!schema.is_object() && !schema.is_boolean()) return; // a fault that valijson reports
    const std::size_t number = add(schema);
    (nodes_[at].*list).push_back(number);
  }

  // Adds a schema, or each schema of a list or of a map.
  void addEach(std::vector<std::size_t> Node::*list, std::size_t at, const char *keyword) {
    json &schema = *nodes_[at].schema;
    const auto found = schema.find(keyword);
    if (found == schema.end() || !found->is_structured()) return;
    for (json &one : *found) addTo(list, at, one);
  }
  void addOne(std::vector<std::size_t> Node::*list, std::size_t at, const char *keyword) {
    json &schema = *nodes_[at].schema;
    if (const auto found = schema.find(keyword); found != schema.end()) addTo(list, at, *found);
  }

  void connect(std::size_t at) {
    json &schema = *nodes_[at].schema;
    if (!schema.is_object()) return;
    if (const auto reference = schema.find("$ref"); reference != schema.end()) {
      if (!reference->is_string()) refuse("a $ref is no text");
      json &target = named(reference->get_ref<const std::string &>());
      if (targets_.insert(&target).second) reading_ += depthOf(target) + 1;
      return addTo(&Node::same, at, target);
    }
    schema.erase("id");
    for (const char *keyword : {"enum", "const"})
      if (schema.contains(keyword)) makeWholeNumbersIntegers(schema[keyword]);
    for (const char *keyword : {"allOf", "anyOf", "oneOf", "dependencies"})
      addEach(&Node::same, at, keyword);
    for (const char *keyword : {"not", "if", "then", "else"}) addOne(&Node::same, at, keyword);
    // valijson divides by an integer without a look at it.
    if (const auto divisor = schema.find("multipleOf");
        divisor != schema.end() && divisor->is_number() && divisor->get<double>() <= 0)
      refuse("a multipleOf is not above 0");
    addEach(&Node::members, at, "properties");
    addOne(&Node::members, at, "additionalProperties");
    addEach(&Node::named, at, "patternProperties");
    addOne(&Node::named, at, "propertyNames");
    const auto items = schema.find("items");
    if (items != schema.end() && items->is_array())
      addEach(&Node::items, at, "items");
    else
      addOne(&Node::items, at, "items");
    addOne(&Node::items, at, "additionalItems");
    addOne(&Node::contained, at, "contains");
    if (const auto one = schema.find("pattern"); one != schema.end() && one->is_string())
      const Pattern understood(one->get_ref<const std::string &>());
    if (const auto some = schema.find("patternProperties");
        some != schema.end() && some->is_object())
      for (const auto &[name, ignored] : some->items()) const Pattern understood(name);
  }

  // Returns what a reference names. Refuses spellings that valijson may read as another schema.
  json &named(const std::string &reference) const {
    if (!reference.starts_with('#'))
      refuse("the $ref " + quoted(reference) + " does not begin with #: it names nothing in it");
    json *target = &root_;
    for (std::size_t at = 1; at < reference.size();) {
      const std::size_t end = std::min(reference.find('/', at + 1), reference.size());
      std::string step = reference.substr(at + 1, end - at - 1);
      if (reference[at] != '/' || step.empty() || step.find('%') != std::string::npos)
        refuse("the $ref " + quoted(reference) + " is not written like #/definitions/name");
      const bool isNumber = step.find_first_not_of("0123456789") == std::string::npos &&
                            step.size() < 7 && (step.size() == 1 || step[0] != '0');
      for (std::size_t tilde = 0; (tilde = step.find('~', tilde)) != std::string::npos; ++tilde) {
        const char which = tilde + 1 < step.size() ? step[tilde + 1] : ' ';
        if (which != '0' && which != '1')
          refuse("the $ref " + quoted(reference) + " has a ~ without 0 or 1");
        step.replace(tilde, 2, which == '0' ? "~" : "/");
      }
      if (target->is_object() && target->contains(step))
        target = &(*target)[step];
      else if (target->is_array() && isNumber && std::stoul(step) < target->size())
        target = &(*target)[std::stoul(step)];
      else
        refuse("the $ref " + quoted(reference) + " names nothing in it");
      at = end;
    }
    return *target;
  }

  // Brings the schemas into an order in which each stands before those that it applies to the same
  // value. There is none if they go in a circle.
  void order() {
    std::vector<std::size_t> users(nodes_.size(), 0), depth(nodes_.size(), 1);
    for (const Node &node : nodes_)
      for (const std::size_t one : node.same) ++users[one];
    for (std::size_t at = 0; at < nodes_.size(); ++at)
      if (users[at] == 0) order_.push_back(at);
    for (std::size_t done = 0; done < order_.size(); ++done)
      for (const std::size_t one : nodes_[order_[done]].same) {
        depth[one] = std::max(depth[one], depth[order_[done]] + 1);
        if (depth[one] > maxAppliedDepth)
          refuse("more than " + std::to_string(maxAppliedDepth) +
                 " of its schemas stand in each other for one value");
        if (--users[one] == 0) order_.push_back(one);
      }
    if (order_.size() == nodes_.size()) return;
    for (std::size_t at = 0; at < nodes_.size(); ++at)
      if (users[at] != 0 && nodes_[at].schema->is_object() && nodes_[at].schema->contains("$ref"))
        refuse("the $ref " + quoted((*nodes_[at].schema)["$ref"].get<std::string>()) +
               " leads back to itself without a step into properties or items");
    refuse("a $ref leads back to itself"); // each circle has a reference
  }

  static std::size_t most(const std::vector<std::size_t> &list,
                          const std::vector<std::size_t> &counts) {
    std::size_t found = 0;
    for (const std::size_t one : list) found = std::max(found, counts[one]);
    return found;
  }
  static std::size_t sum(const std::vector<std::size_t> &list,
                         const std::vector<std::size_t> &counts) {
    std::size_t found = 0;
    for (const std::size_t one : list) found += counts[one];
    return found;
  }

  json &root_;
  std::vector<Node> nodes_;
  std::map<const json *, std::size_t> numbers_;
  std::set<const json *> targets_;
  std::size_t reading_ = 0;
  std::vector<std::size_t> order_;
};

} // namespace

std::size_t nestingOf(std::string_view text) {
  std::size_t depth = 0, deepest = 0;
  bool quotes = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char byte = text[at];
    if (byte == '"') quotes = !quotes;
    if (quotes) {
      if (byte == '\\') ++at;
    } else if (byte == '[' || byte == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((byte == ']' || byte == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

json readSchema(std::string_view text, std::size_t documentNesting) {
  if (text.size() > maxSchemaBytes)
    refuse("it has more than " + std::to_string(maxSchemaBytes) + " bytes");
  if (nestingOf(text) > maxNesting)
    refuse("it is nested more than " + std::to_string(maxNesting) + " levels deep");
  json schema = json::parse(text);
  Graph(schema).bound(documentNesting);
  return schema;
}

void makeWholeNumbersIntegers(json &value) {
  constexpr double exact = 9007199254740992; // 2^53, above which doubles leave integers out
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (std::abs(number) <= exact && number == std::floor(number))
      value = static_cast<std::int64_t>(number);
  } else if (value.is_structured()) {
    for (json &member : value) makeWholeNumbersIntegers(member);
  }
}

} // namespace skillhost
