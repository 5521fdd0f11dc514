// SPDX-License-Identifier: Apache-2.0
// skillhost/facts.hpp - C++20 convenience over facts.h, as plugin.hpp is over plugin.h.
//
//   class Vault final : public skh::Source, public skh::Facts { ... };
//   SKH_PLUGIN(skh::withExtensions<skh::FactsOps<Vault>>(
//       skh::source<Vault>("org.example.vault", "1.0.0", "…", schema)))
#pragma once

#include <skillhost/facts.h>
#include <skillhost/plugin.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace skh {

// Builds the JSON object that facts.h specifies. It omits empty texts and texts that are longer
// than a fact may be.
class FactsText {
public:
  static constexpr std::size_t longest = 1000; // bytes of a fact

  // Facts added from now on belong to this skill, named as in list(), or to all skills for "*".
  // Call it only once for each name.
  void about(std::string_view skill) {
    end();
    text_ += text_.size() > 1 ? "," : "";
    quote(skill);
    text_ += ":{";
    isOpen_ = true;
    isFirst_ = true;
  }
  // Both texts must be UTF-8, and the name must follow the rules of facts.h.
  void add(std::string_view name, std::string_view value) {
    if (value.empty() || value.size() > longest) return;
    text_ += isFirst_ ? "" : ",";
    isFirst_ = false;
    quote(name);
    text_ += ':';
    quote(value);
  }
  // Returns the complete object. Nothing may be added afterwards.
  std::string take() {
    end();
    return std::move(text_) + '}';
  }

private:
  void end() {
    if (isOpen_) text_ += '}';
    isOpen_ = false;
  }
  void quote(std::string_view value) {
    constexpr std::string_view digits = "0123456789abcdef";
    text_ += '"';
    for (const char c : value) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20) {
        text_ += "\\u00";
        text_ += digits[byte >> 4U];
        text_ += digits[byte & 15U];
        continue;
      }
      if (c == '"' || c == '\\') text_ += '\\';
      text_ += c;
    }
    text_ += '"';
  }

  std::string text_ = "{";
  bool isOpen_ = false, isFirst_ = true;
};

class Facts {
public:
  virtual ~Facts() = default;
  // Returns the JSON object that facts.h specifies.
  virtual std::string facts(const Call &, std::string_view snapshot) = 0;
};

template <class T> struct FactsOps {
  static skh_status facts(void *self, const skh_call *c, skh_str snapshot,
                          const skh_bytes *out) noexcept {
    return guard(c,
                 [&] { Bytes{out}.write(static_cast<T *>(self)->facts(Call{c}, view(snapshot))); });
  }
  static constexpr skh_facts table{sizeof(skh_facts), SKH_FACTS_MAGIC, &facts};
  static const void *extension(void * /*self*/, const char *id) noexcept {
    return std::string_view(id) == SKH_FACTS ? &table : nullptr;
  }
};

} // namespace skh
