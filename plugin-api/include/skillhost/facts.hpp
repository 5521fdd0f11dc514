// SPDX-License-Identifier: Apache-2.0
// skillhost/facts.hpp - C++20 convenience over facts.h, as plugin.hpp is over plugin.h.
//
//   class Vault final : public skh::Source, public skh::Facts { ... };
//   SKH_PLUGIN(skh::withExtensions<skh::FactsOps<Vault>>(
//       skh::source<Vault>("org.example.vault", "1.0.0", "…", schema)))
#pragma once

#include <skillhost/facts.h>
#include <skillhost/plugin.hpp>

namespace skh {

class Facts {
public:
  virtual ~Facts() = default;
  // The JSON object that facts.h describes.
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
