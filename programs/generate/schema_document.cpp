// SPDX-License-Identifier: Apache-2.0
#include "schema_document.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace skillhost {
namespace {

constexpr int maxPartDepth = 128;

std::string decodedSegment(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned value = 0;
    if (text[at] == '%' && at + 2 < text.size() &&
        std::from_chars(&text[at] + 1, &text[at] + 3, value, 16).ec == std::errc{}) {
      plain += static_cast<char>(value);
      at += 2;
    } else {
      plain += text[at];
    }
  }
  std::string out;
  for (std::size_t at = 0; at < plain.size(); ++at) {
    const bool escape = plain[at] == '~' && at + 1 < plain.size();
    if (escape && (plain[at + 1] == '0' || plain[at + 1] == '1'))
      out += plain[++at] == '0' ? '~' : '/';
    else
      out += plain[at];
  }
  return out;
}

// Follows a pointer, which is empty or begins with a slash (RFC 6901).
const Json *followed(const Json &from, std::string_view pointer) {
  const Json *at = &from;
  while (!pointer.empty()) {
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    const std::string segment = decodedSegment(pointer.substr(1, end - 1));
    pointer.remove_prefix(end);
    if (at->is_object()) {
      const auto member = at->find(segment);
      if (member == at->end()) return nullptr;
      at = &*member;
    } else if (at->is_array()) {
      std::size_t index = 0;
      const char *last = segment.data() + segment.size();
      const auto [stop, error] = std::from_chars(segment.data(), last, index);
      if (error != std::errc{} || stop != last || index >= at->size()) return nullptr;
      at = &(*at)[index];
    } else {
      return nullptr;
    }
  }
  return at;
}

} // namespace

SchemaDocument::SchemaDocument(const Json &root) : root_(&root) { learn(root, 0); }

void SchemaDocument::learn(const Json &part, int depth) {
  if (depth > maxPartDepth || !part.is_structured()) return;
  if (part.is_object())
    for (const char *key : {"$id", "id", "$anchor", "$dynamicAnchor"}) {
      const auto name = part.find(key);
      if (name == part.end() || !name->is_string()) continue;
      const auto &text = name->get_ref<const std::string &>();
      // A property may be called id; nothing refers to the text of such an entry.
      named_.emplace(key[1] == 'i' || key[0] == 'i' ? text : '#' + text, &part);
    }
  for (const Json &inner : part) learn(inner, depth + 1);
}

SchemaDocument::Reference SchemaDocument::resolve(const std::string &reference) const {
  const std::size_t hash = std::min(reference.find('#'), reference.size());
  const std::string base = reference.substr(0, hash), fragment = reference.substr(hash);
  const Json *from = root_;
  if (!base.empty()) {
    const auto found = named_.find(base);
    if (found == named_.end()) return {nullptr, reference};
    from = found->second;
  }
  if (fragment.size() <= 1) return {from, reference};
  if (fragment[1] == '/') return {followed(*from, std::string_view(fragment).substr(1)), reference};
  const auto anchor = named_.find(fragment);
  return {anchor == named_.end() ? nullptr : anchor->second, reference};
}

std::string SchemaDocument::referenceIn(const Json &schema) {
  if (!schema.is_object()) return {};
  for (const char *key : {"$ref", "$dynamicRef", "$recursiveRef"}) {
    const auto reference = schema.find(key);
    if (reference != schema.end() && reference->is_string()) return reference->get<std::string>();
  }
  return {};
}

Json canonicalJson(const Json &value) {
  if (value.is_array()) {
    Json list = Json::array();
    for (const Json &one : value) list.push_back(canonicalJson(one));
    return list;
  }
  if (!value.is_object()) return value;
  std::vector<std::pair<std::string, const Json *>> members;
  for (const auto &[key, member] : value.items()) members.emplace_back(key, &member);
  std::sort(members.begin(), members.end());
  Json sorted = Json::object();
  for (const auto &[key, member] : members) {
    Json &one = sorted[key] = canonicalJson(*member);
    const bool unordered =
        key == "required" && one.is_array() &&
        std::all_of(one.begin(), one.end(), [](const Json &text) { return text.is_string(); });
    if (unordered) std::sort(one.begin(), one.end());
  }
  return sorted;
}

} // namespace skillhost
