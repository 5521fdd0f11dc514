// SPDX-License-Identifier: Apache-2.0
// skillhost/held.hpp - C++20 convenience over held.h, as plugin.hpp is over plugin.h.
//
//   class Ranking final : public skh::Search, public skh::Held { ... };
//   SKH_PLUGIN(skh::withExtensions<skh::HeldOps<Ranking>>(
//       skh::search<Ranking>("org.example.ranking", "1.0.0", "…", schema)))
#pragma once

#include <skillhost/held.h>
#include <skillhost/plugin.hpp>

namespace skh {

class HeldEntries {
public:
  explicit HeldEntries(const skh_held_entries *raw) noexcept : raw_(raw) {}
  void add(std::string_view id, std::string_view revision) const {
    check(raw_->add(raw_, borrow(id), borrow(revision)), "held entry refused");
  }

private:
  const skh_held_entries *raw_;
};

class Held {
public:
  virtual ~Held() = default;
  // Lists every entry that the last commit made visible; see held.h.
  virtual void held(const Call &, const HeldEntries &) = 0;
};

template <class T> struct HeldOps {
  static skh_status held(void *self, const skh_call *c, const skh_held_entries *out) noexcept {
    return guard(c, [&] { static_cast<T *>(self)->held(Call{c}, HeldEntries{out}); });
  }
  static constexpr skh_held table{sizeof(skh_held), SKH_HELD_MAGIC, &held};
  static const void *extension(void * /*self*/, const char *id) noexcept {
    return std::string_view(id) == SKH_HELD ? &table : nullptr;
  }
};

} // namespace skh
