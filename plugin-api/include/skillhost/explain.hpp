// SPDX-License-Identifier: Apache-2.0
// skillhost/explain.hpp - C++20 convenience over explain.h, as plugin.hpp is over plugin.h.
//
//   class Finder final : public skh::Search, public skh::Explain { ... };
//   SKH_PLUGIN(skh::withExtensions<skh::ExplainOps<Finder>>(
//       skh::search<Finder>("org.example.finder", "1.0.0", "…", schema)))
#pragma once

#include <skillhost/explain.h>
#include <skillhost/plugin.hpp>

namespace skh {

class Explain {
public:
  virtual ~Explain() = default;
  // Returns the JSON object that explain.h specifies. Throws Error(SKH_NOT_FOUND) if there is no
  // such entry.
  virtual std::string explain(const Call &, std::string_view text, std::string_view id) = 0;
  // Waits until the work is done and returns what queries lack, as explain.h specifies.
  virtual std::string settle(const Call &) { return {}; }
};

template <class T> struct ExplainOps {
  static skh_status explain(void *self, const skh_call *c, skh_str text, skh_str id,
                            const skh_bytes *out) noexcept {
    return guard(c, [&] {
      Bytes{out}.write(static_cast<T *>(self)->explain(Call{c}, view(text), view(id)));
    });
  }
  static skh_status settle(void *self, const skh_call *c, const skh_bytes *out) noexcept {
    return guard(c, [&] { Bytes{out}.write(static_cast<T *>(self)->settle(Call{c})); });
  }
  static constexpr skh_explain table{sizeof(skh_explain), SKH_EXPLAIN_MAGIC, &explain, &settle};
  static const void *extension(void * /*self*/, const char *id) noexcept {
    return std::string_view(id) == SKH_EXPLAIN ? &table : nullptr;
  }
};

} // namespace skh
