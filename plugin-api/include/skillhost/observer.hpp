// SPDX-License-Identifier: Apache-2.0
// skillhost/observer.hpp - C++20 convenience over observer.h: the kind "skh.observer/1". Header
// only.
//
//   class Journal final : public skh::Observer {
//   public:
//     static constexpr std::uint32_t wants = SKH_EVENT_CALL_ENDED | SKH_EVENT_REFUSED;
//     Journal(skh::Host, const skh::Call &);
//     void callEnded(const skh::Call &, const skh::Use &) override;
//     void refused(const skh::Call &, const skh::Use &) override;
//   };
//   SKH_PLUGIN(skh::observer<Journal>("org.example.journal", "1.0.0", "Keeps a journal", schema))
//
// As in plugin.hpp, methods may throw, and views passed to them are valid until they return.
#pragma once

#include <skillhost/observer.h>
#include <skillhost/plugin.hpp>

#include <cstdint>
#include <string_view>

namespace skh {

// The fields of skh_use; observer.h explains the texts.
struct Use {
  std::uint32_t kind = SKH_USE_LOAD;
  std::int64_t timeMs = 0;
  std::uint32_t microseconds = 0;
  std::string_view skill, source, path, digest, issuer, person, client, outcome, text;
};

struct AuditRecord {
  std::int64_t timeMs = 0;
  std::string_view event, record; // the record is a JSON object
};

struct LogRecord {
  std::int32_t level = SKH_INFO;
  std::int64_t timeMs = 0;
  std::string_view part, message, fields; // the fields are a JSON object, or empty
};

// A class of this kind has `static constexpr std::uint32_t wants`, and overrides the method of each
// event in it. Calls of its methods never overlap. observer.h explains what a failure means.
class Observer {
public:
  virtual ~Observer() = default;
  virtual void callEnded(const Call &, const Use &) {}
  virtual void refused(const Call &, const Use &) {}
  virtual void auditRecord(const Call &, const AuditRecord &) {}
  virtual void catalogueChanged(const Call &, std::uint64_t) {}
  virtual void logRecord(const Call &, const LogRecord &) {}
  virtual void lost(const Call &, std::uint32_t, std::uint64_t) {}
  virtual void flush(const Call &) {}
};

template <class T> struct ObserverOps {
  static Use useOf(const skh_use &u) noexcept {
    return {u.kind,         u.time_ms,      u.microseconds,  view(u.skill),
            view(u.source), view(u.path),   view(u.digest),  view(u.issuer),
            view(u.person), view(u.client), view(u.outcome), view(u.text)};
  }
  static skh_status callEnded(void *self, const skh_call *c, const skh_use *use) noexcept {
    return guard(c, [&] { static_cast<T *>(self)->callEnded(Call{c}, useOf(*use)); });
  }
  static skh_status refused(void *self, const skh_call *c, const skh_use *use) noexcept {
    return guard(c, [&] { static_cast<T *>(self)->refused(Call{c}, useOf(*use)); });
  }
  static skh_status auditRecord(void *self, const skh_call *c, const skh_audit_record *r) noexcept {
    return guard(c, [&] {
      static_cast<T *>(self)->auditRecord(Call{c},
                                          {r->time_ms, view(r->event), view(r->record_json)});
    });
  }
  static skh_status catalogueChanged(void *self, const skh_call *c,
                                     std::uint64_t generation) noexcept {
    return guard(c, [&] { static_cast<T *>(self)->catalogueChanged(Call{c}, generation); });
  }
  static skh_status logRecord(void *self, const skh_call *c, const skh_log_record *r) noexcept {
    return guard(c, [&] {
      static_cast<T *>(self)->logRecord(
          Call{c}, {r->level, r->time_ms, view(r->part), view(r->message), view(r->fields_json)});
    });
  }
  static skh_status lost(void *self, const skh_call *c, std::uint32_t events,
                         std::uint64_t count) noexcept {
    return guard(c, [&] { static_cast<T *>(self)->lost(Call{c}, events, count); });
  }
  static skh_status flush(void *self, const skh_call *c) noexcept {
    return guard(c, [&] { static_cast<T *>(self)->flush(Call{c}); });
  }
  static constexpr skh_observer table{
      sizeof(skh_observer), T::wants,   &callEnded, &refused, &auditRecord,
      &catalogueChanged,    &logRecord, &lost,      &flush};
};

template <class T>
constexpr skh_plugin observer(const char *id, const char *version, const char *summary,
                              const char *schema, std::uint32_t flags = 0,
                              const char *licence = "Apache-2.0") {
  return describe<T>(SKH_OBSERVER_KIND, &ObserverOps<T>::table, id, version, summary, schema, flags,
                     licence);
}

} // namespace skh
