// SPDX-License-Identifier: Apache-2.0
#include "ground/json.hpp"

#include "ground/json_text.hpp"
#include "ground/sorted_json.hpp"
#include "plain_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace skillhost {
namespace {

// There are two kinds of objects: one keeps the order of its keys, the other sorts them.
Json &lastOf(Json::object_t &object) noexcept { return object.back().second; }
nlohmann::json &lastOf(nlohmann::json::object_t &object) noexcept {
  return std::prev(object.end())->second;
}
void dropLastOf(Json::object_t &object) noexcept { object.pop_back(); }
void dropLastOf(nlohmann::json::object_t &object) noexcept {
  object.erase(std::prev(object.end()));
}

// Returns the last value of an array or an object; null if it is empty.
template <class Tree> Tree *lastIn(Tree &tree) noexcept {
  if (tree.is_array()) {
    auto &array = tree.template get_ref<typename Tree::array_t &>();
    return array.empty() ? nullptr : &array.back();
  }
  if (!tree.is_object()) return nullptr;
  auto &object = tree.template get_ref<typename Tree::object_t &>();
  return object.empty() ? nullptr : &lastOf(object);
}

template <class Tree> void dropLast(Tree &tree) noexcept {
  if (tree.is_array())
    tree.template get_ref<typename Tree::array_t &>().pop_back();
  else
    dropLastOf(tree.template get_ref<typename Tree::object_t &>());
}

// Empties the tree from its leaves. While a child is being emptied, its place holds its parent, so
// that the way back needs neither memory nor recursion.
template <class Tree> void emptyTree(Tree &tree) noexcept {
  if (lastIn(tree) == nullptr) return;
  Tree current = std::move(tree), above; // `above` is null at the top
  for (;;) {
    Tree *last = lastIn(current);
    if (last == nullptr) {
      if (above.is_null()) return;
      current = std::move(above);
      last = lastIn(current);
      above = std::move(*last);
      dropLast(current);
    } else if (lastIn(*last) == nullptr) {
      dropLast(current);
    } else {
      Tree child = std::move(*last);
      *last = std::move(above);
      above = std::move(current);
      current = std::move(child);
    }
  }
}

template <class Value> void destroyValue(Value *value) noexcept {
  if (value == nullptr) return; // its constructor has failed
  std::destroy_at(value);
  std::allocator<Value>().deallocate(value, 1);
}

// Most trees are shallow, and destroying them by recursion takes a third of the time of
// emptyTree().
constexpr int maxRecursion = 64;
thread_local int recursion = 0; // containers that are being destroyed on the stack of this thread

void emptyChildren(auto &container) noexcept {
  for (auto &child : container)
    if constexpr (requires { child.second; })
      emptyTree(child.second);
    else
      emptyTree(child);
}

template <class Container> void destroyContainer(Container *container) noexcept {
  if (container != nullptr && recursion >= maxRecursion) emptyChildren(*container);
  ++recursion;
  destroyValue(container);
  --recursion;
}

// Frees the memory that a value of this type points to; numbers and the like point to none. Needs
// no memory, and little of the stack at any depth.
template <class Content>
void destroyContent(const Content &content, nlohmann::detail::value_t type) noexcept {
  using Type = nlohmann::detail::value_t;
  switch (type) {
  case Type::array:
    return destroyContainer(content.array);
  case Type::object:
    return destroyContainer(content.object);
  case Type::string:
    return destroyValue(content.string);
  case Type::binary:
    return destroyValue(content.binary);
  default:
    return;
  }
}

// When the library's map grows, it copies all members with everything below them. This copies the
// names and moves the values.
void makeRoom(Json::object_t &object) {
  if (object.size() < object.capacity()) return;
  constexpr std::size_t usual = 4; // most objects are small: one allocation instead of three
  Json::object_t larger;
  larger.reserve(std::max(usual, 2 * object.size()));
  for (const auto &member : object) larger.emplace_back(member.first, nullptr);
  auto to = larger.begin();
  for (auto &member : object) (to++)->second = std::move(member.second);
  object.swap(larger);
}

constexpr int numberOverflow = 406; // the library's number for this error

// Builds the document from parser events. The library's own builder silently prefers the last of
// two equal keys, and has no limit on depth.
class Builder final : public nlohmann::json_sax<Json> {
public:
  explicit Builder(JsonLimits limits) : limits_(limits) {}

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t &text) override {
    if (!std::isfinite(value))
      return refuse("the number " + text.substr(0, 40) + " is out of range");
    // JSON Schema accepts 3.0 as an integer, and languages without integers write it. A double
    // represents every integer up to 2^53. A negative zero stays a double.
    constexpr double exact = 9007199254740992.0;
    if (std::trunc(value) == value && std::abs(value) <= exact &&
        (value != 0 || !std::signbit(value)))
      return value < 0 ? put(static_cast<number_integer_t>(value))
                       : put(static_cast<number_unsigned_t>(value));
    return put(value);
  }
  bool string(string_t &value) override { return put(std::move(value)); }
  bool binary(binary_t &) override { return refuse("binary data"); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool key(string_t &name) override {
    if (seen(name)) return refuse("duplicate key \"" + name.substr(0, 100) + '"');
    auto &object = stack_.back().container->get_ref<Json::object_t &>();
    makeRoom(object);
    object.emplace_back(std::move(name), nullptr);
    slot_ = &object.back().second;
    return true;
  }
  bool parse_error(std::size_t position, const std::string &,
                   const nlohmann::detail::exception &why) override {
    if (!failure_ && why.id == numberOverflow) {
      failure_ = Failure{Fault::InvalidRequest, "a number is out of range"};
    } else if (!failure_) {
      std::string text = why.what();
      if (const auto colon = text.find("] "); colon != std::string::npos) text.erase(0, colon + 2);
      failure_ = Failure{Fault::ParseError, "not JSON at byte " + std::to_string(position) + ": " +
                                                text.substr(0, 200)};
    }
    return false;
  }

  Result<Json> finish(bool parsed) {
    if (parsed) return std::move(root_);
    return failure_.value_or(Failure{Fault::ParseError, "not JSON"});
  }

private:
  // A container that is still being filled.
  struct Open {
    Json *container;
    std::set<std::string> keys; // the keys of an object too large for a search
  };

  bool seen(const std::string &name) {
    constexpr std::size_t few = 32;
    Open &top = stack_.back();
    const auto &object = top.container->get_ref<const Json::object_t &>();
    if (object.size() < few)
      return std::any_of(object.begin(), object.end(),
                         [&](const auto &member) { return member.first == name; });
    if (top.keys.empty())
      for (const auto &member : object) top.keys.insert(member.first);
    return !top.keys.insert(name).second;
  }
  bool refuse(std::string why) {
    failure_ = Failure{Fault::InvalidRequest, std::move(why)};
    return false;
  }
  template <class Value> Json *place(Value &&value) {
    if (stack_.empty()) {
      root_ = std::forward<Value>(value);
      return &root_;
    }
    if (stack_.back().container->is_array()) {
      auto &array = stack_.back().container->get_ref<Json::array_t &>();
      return &array.emplace_back(std::forward<Value>(value));
    }
    *slot_ = std::forward<Value>(value);
    return slot_;
  }
  template <class Value> bool put(Value &&value) {
    if (isFull()) return false;
    place(std::forward<Value>(value));
    return true;
  }
  bool open(Json container) {
    if (stack_.size() >= limits_.depth)
      return refuse("nested deeper than " + std::to_string(limits_.depth));
    if (isFull()) return false;
    stack_.push_back({place(std::move(container)), {}});
    return true;
  }
  bool isFull() {
    if (values_++ < limits_.values) return false;
    refuse("more than " + std::to_string(limits_.values) + " values");
    return true;
  }
  bool close() {
    stack_.pop_back();
    return true;
  }

  JsonLimits limits_;
  std::size_t values_ = 0;
  Json root_;
  // These point into root_. Only the innermost container grows, so the outer ones keep their
  // addresses.
  std::vector<Open> stack_;
  Json *slot_ = nullptr;
  std::optional<Failure> failure_;
};

} // namespace

Result<Json> parseJson(std::string_view text, JsonLimits limits) {
  if (Json plain; readPlainJson(text, limits, plain)) return plain;
  Builder builder(limits);
  const bool parsed = Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.finish(parsed);
}

std::optional<Json> readJsonObject(std::string_view text, std::size_t depth) {
  Result<Json> parsed = parseJson(text, {.depth = depth});
  if (!parsed || !parsed->is_object()) return std::nullopt;
  return std::move(*parsed);
}

void appendJson(std::string &out, const Json &value) {
  if (value.is_string()) {
    appendJsonString(out, value.get_ref<const std::string &>());
  } else if (value.is_object()) {
    char before = '{';
    for (const auto &[key, member] : value.get_ref<const Json::object_t &>()) {
      out += std::exchange(before, ',');
      appendJsonString(out, key);
      out += ':';
      appendJson(out, member);
    }
    out += value.empty() ? "{}" : "}";
  } else if (value.is_array()) {
    char before = '[';
    for (const Json &item : value.get_ref<const Json::array_t &>()) {
      out += std::exchange(before, ',');
      appendJson(out, item);
    }
    out += value.empty() ? "[]" : "]";
  } else {
    out += value.dump();
  }
}

} // namespace skillhost

namespace nlohmann {

template <> void basic_json<ordered_map>::json_value::destroy(detail::value_t type) {
  skillhost::destroyContent(*this, type);
}

template <> void basic_json<>::json_value::destroy(detail::value_t type) {
  skillhost::destroyContent(*this, type);
}

} // namespace nlohmann
