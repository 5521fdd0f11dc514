// SPDX-License-Identifier: Apache-2.0
// skillhost/plugin.hpp - C++20 convenience over plugin.h. Header only; adds nothing to the ABI.
//
//   class Gitlab final : public skh::Source { public: Gitlab(skh::Host, const skh::Call &); ... };
//   SKH_PLUGIN(skh::source<Gitlab>("org.example.gitlab", "1.0.0", "Skills from GitLab", schema))
//
// The constructor of a plugin class takes (skh::Host, const skh::Call &): throw
// skh::Error(SKH_INVALID, "why") there to refuse a configuration. Every method may throw; the
// wrapper turns exceptions into a status and a message. Views passed to a method are valid until it
// returns.
#pragma once

#include <skillhost/plugin.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace skh {

constexpr skh_str borrow(std::string_view text) noexcept { return {text.data(), text.size()}; }
constexpr std::string_view view(skh_str text) noexcept { return {text.data, text.size}; }

// Throw this to leave a call with a status. The message reaches the operator's log. If it is empty,
// the last message of the call's fail() stays.
class Error : public std::runtime_error {
public:
  Error(skh_status status, const std::string &message)
      : std::runtime_error(message), status_(status) {}
  skh_status status() const noexcept { return status_; }

private:
  skh_status status_;
};

// Throws Error if a sink of the host refused, so that the call returns the sink's own status.
inline void check(skh_status status, const char *what) {
  if (status != SKH_OK) throw Error(status, what);
}

// The context of one call. Valid until the method returns. Any thread may use it.
class Call {
public:
  explicit Call(const skh_call *raw) noexcept : raw_(raw) {}
  bool cancelled() const noexcept { return raw_->cancelled(raw_) != 0; }
  // Leaves the call if its result is no longer wanted. Call it at least every 50 ms of work.
  void point() const {
    if (cancelled()) throw Error(SKH_CANCELLED, "cancelled");
  }
  void progress(std::uint64_t done, std::uint64_t total, std::string_view what) const noexcept {
    raw_->progress(raw_, done, total, borrow(what));
  }
  std::chrono::steady_clock::time_point deadline() const noexcept {
    return std::chrono::steady_clock::time_point{std::chrono::nanoseconds{raw_->deadline_ns}};
  }
  // Returns the time until the deadline, for your own timeouts: never negative, and at most `most`,
  // also if there is no deadline.
  std::chrono::milliseconds remaining(std::chrono::milliseconds most) const noexcept {
    using std::chrono::milliseconds;
    const auto now = std::chrono::steady_clock::now();
    if (deadline() <= now) return milliseconds{0};
    const auto left = std::chrono::duration_cast<milliseconds>(deadline() - now);
    return left < most ? left : most;
  }
  // The fields of W3C Trace Context for requests made for this call; plugin.h says where to send
  // them. Empty if the call belongs to no trace or the host is older than minor 1.
  std::string_view traceparent() const noexcept {
    return SKH_HAS(raw_, traceparent) ? view(raw_->traceparent) : std::string_view{};
  }
  std::string_view tracestate() const noexcept {
    return SKH_HAS(raw_, tracestate) ? view(raw_->tracestate) : std::string_view{};
  }
  const skh_call *raw() const noexcept { return raw_; }

private:
  const skh_call *raw_;
};

// The host's services for an instance. Valid until its destructor has returned. Any thread may use
// them.
class Host {
public:
  explicit Host(const skh_host *raw) noexcept : raw_(raw) {}
  std::string_view name() const noexcept { return view(raw_->name); }
  std::string_view version() const noexcept { return view(raw_->version); }
  std::string_view instance() const noexcept { return view(raw_->instance); }
  std::string_view config() const noexcept { return view(raw_->config); }
  std::string_view cacheDir() const noexcept { return view(raw_->cache_dir); }
  void log(std::int32_t level, std::string_view text) const noexcept {
    raw_->log(raw_, level, borrow(text));
  }
  void count(std::string_view name, double by = 1) const noexcept {
    raw_->metric(raw_, SKH_COUNTER, borrow(name), by);
  }
  void gauge(std::string_view name, double value) const noexcept {
    raw_->metric(raw_, SKH_GAUGE, borrow(name), value);
  }
  void observe(std::string_view name, double value) const noexcept {
    raw_->metric(raw_, SKH_HISTOGRAM, borrow(name), value);
  }
  void changed() const noexcept { raw_->changed(raw_); }
  template <class T> const T *extension(const char *id) const noexcept {
    return static_cast<const T *>(raw_->extension(raw_, id));
  }

private:
  const skh_host *raw_;
};

class Bytes {
public:
  explicit Bytes(const skh_bytes *raw) noexcept : raw_(raw) {}
  void write(std::string_view data) const {
    check(raw_->write(raw_, data.data(), data.size()), "output refused");
  }

private:
  const skh_bytes *raw_;
};

// ---- sources ---------------------------------------------------------------

struct Document {
  std::string_view skill{}, path{}, revision{};
  std::uint64_t length = UINT64_MAX;
  std::uint32_t flags = 0;
  std::string_view location{};
};

class Documents {
public:
  explicit Documents(const skh_documents *raw) noexcept : raw_(raw) {}
  void add(const Document &d) const {
    const skh_document raw{sizeof raw,         d.flags,  borrow(d.skill),   borrow(d.path),
                           borrow(d.revision), d.length, borrow(d.location)};
    check(raw_->add(raw_, &raw), "document refused");
  }
  void done(std::string_view snapshot) const {
    check(raw_->done(raw_, borrow(snapshot)), "snapshot refused");
  }

private:
  const skh_documents *raw_;
};

class Source {
public:
  virtual ~Source() = default;
  virtual void list(const Call &, const Documents &) = 0;
  virtual void read(const Call &, const Document &, const Bytes &) = 0;
  virtual void changes(const Call &, std::string_view, const Documents &) {
    throw Error(SKH_STALE, "this source has no history");
  }
};

// ---- search ----------------------------------------------------------------

struct EntryText {
  std::string_view id, revision, name, description, body, attributes;
};

struct Hit {
  std::string_view id;
  double score = 0;
  std::string_view snippet{};
};

class Hits {
public:
  explicit Hits(const skh_hits *raw) noexcept : raw_(raw) {}
  void add(const Hit &h) const {
    const skh_hit raw{sizeof raw, 0, borrow(h.id), h.score, borrow(h.snippet)};
    check(raw_->add(raw_, &raw), "hit refused");
  }

private:
  const skh_hits *raw_;
};

class Search {
public:
  virtual ~Search() = default;
  virtual void put(const Call &, const EntryText &) = 0;
  virtual void remove(const Call &, std::string_view id) = 0;
  virtual void commit(const Call &, std::string_view generation) = 0;
  virtual std::string generation(const Call &) = 0;
  virtual void query(const Call &, std::string_view text, std::string_view filterJson,
                     std::uint32_t limit, const Hits &) = 0;
};

// ---- auth ------------------------------------------------------------------

struct Credential {
  std::string_view scheme, value, resource, peer;
};

struct Principal {
  std::string subject, issuer, claims;
  std::vector<std::string> scopes;
  std::int64_t expires_at = 0;
  std::uint32_t cache_seconds = 0;
};

class Auth {
public:
  virtual ~Auth() = default;
  virtual void check(const Call &) = 0;
  // Returns the principal; throws Error(SKH_DENIED) or Error(SKH_UNAVAILABLE).
  virtual Principal validate(const Call &, const Credential &) = 0;
  virtual std::string describe(const Call &) = 0;
};

// ---- from classes to tables of functions -------------------------------------

// Turns C++ exceptions into a status. Nothing else in this file does.
template <class Body> skh_status guard(const skh_call *call, Body &&body) noexcept {
  try {
    body();
    return SKH_OK;
  } catch (const Error &e) {
    const std::string_view message = e.what();
    if (!message.empty()) call->fail(call, borrow(message));
    return e.status();
  } catch (const std::bad_alloc &) {
    call->fail(call, borrow("out of memory"));
    return SKH_TOO_LARGE;
  } catch (const std::exception &e) {
    call->fail(call, borrow(e.what()));
    return SKH_FAILED;
  } catch (...) {
    call->fail(call, borrow("unknown exception"));
    return SKH_FAILED;
  }
}

template <class T> struct SourceOps {
  static skh_status list(void *self, const skh_call *c, const skh_documents *out) noexcept {
    return guard(c, [&] { static_cast<T *>(self)->list(Call{c}, Documents{out}); });
  }
  static skh_status read(void *self, const skh_call *c, const skh_document *w,
                         const skh_bytes *out) noexcept {
    return guard(c, [&] {
      static_cast<T *>(self)->read(Call{c},
                                   {view(w->skill), view(w->path), view(w->revision), w->length,
                                    w->flags, view(w->location)},
                                   Bytes{out});
    });
  }
  static skh_status changes(void *self, const skh_call *c, skh_str since,
                            const skh_documents *out) noexcept {
    return guard(c, [&] { static_cast<T *>(self)->changes(Call{c}, view(since), Documents{out}); });
  }
  static constexpr skh_source table{sizeof(skh_source), 0, &list, &read, &changes};
};

template <class T> struct SearchOps {
  static skh_status put(void *self, const skh_call *c, const skh_entry_text *e) noexcept {
    return guard(c, [&] {
      static_cast<T *>(self)->put(Call{c},
                                  {view(e->id), view(e->revision), view(e->name),
                                   view(e->description), view(e->body), view(e->attributes)});
    });
  }
  static skh_status remove(void *self, const skh_call *c, skh_str id) noexcept {
    return guard(c, [&] { static_cast<T *>(self)->remove(Call{c}, view(id)); });
  }
  static skh_status commit(void *self, const skh_call *c, skh_str generation) noexcept {
    return guard(c, [&] { static_cast<T *>(self)->commit(Call{c}, view(generation)); });
  }
  static skh_status generation(void *self, const skh_call *c, const skh_bytes *out) noexcept {
    return guard(c, [&] { Bytes{out}.write(static_cast<T *>(self)->generation(Call{c})); });
  }
  static skh_status query(void *self, const skh_call *c, skh_str text, skh_str filter,
                          std::uint32_t limit, const skh_hits *out) noexcept {
    return guard(c, [&] {
      static_cast<T *>(self)->query(Call{c}, view(text), view(filter), limit, Hits{out});
    });
  }
  static constexpr skh_search table{sizeof(skh_search), 0,     &put, &remove, &commit,
                                    &generation,        &query};
};

template <class T> struct AuthOps {
  static skh_status check(void *self, const skh_call *c) noexcept {
    return guard(c, [&] { static_cast<T *>(self)->check(Call{c}); });
  }
  static skh_status validate(void *self, const skh_call *c, const skh_credential *k,
                             const skh_principals *out) noexcept {
    return guard(c, [&] {
      const Principal p = static_cast<T *>(self)->validate(
          Call{c}, {view(k->scheme), view(k->value), view(k->resource), view(k->peer)});
      std::vector<skh_str> scopes;
      scopes.reserve(p.scopes.size());
      for (const std::string &scope : p.scopes) scopes.push_back(borrow(scope));
      const skh_principal raw{sizeof raw,
                              static_cast<std::uint32_t>(scopes.size()),
                              scopes.data(),
                              borrow(p.subject),
                              borrow(p.issuer),
                              borrow(p.claims),
                              p.expires_at,
                              p.cache_seconds,
                              0};
      skh::check(out->accept(out, &raw), "principal refused");
    });
  }
  static skh_status describe(void *self, const skh_call *c, const skh_bytes *out) noexcept {
    return guard(c, [&] { Bytes{out}.write(static_cast<T *>(self)->describe(Call{c})); });
  }
  static constexpr skh_auth table{sizeof(skh_auth), 0, &check, &validate, &describe};
};

template <class T>
skh_status create(const skh_host *host, const skh_call *call, void **self) noexcept {
  return guard(call, [&] { *self = std::make_unique<T>(Host{host}, Call{call}).release(); });
}
template <class T> void destroy(void *self) noexcept { delete static_cast<T *>(self); }

template <class T>
constexpr skh_plugin describe(const char *kind, const void *ops, const char *id,
                              const char *version, const char *summary, const char *schema,
                              std::uint32_t flags, const char *licence) {
  return {sizeof(skh_plugin), flags,       kind,   id, version, summary, licence, schema, ops,
          &create<T>,         &destroy<T>, nullptr};
}

template <class T>
constexpr skh_plugin source(const char *id, const char *version, const char *summary,
                            const char *schema, std::uint32_t flags = 0,
                            const char *licence = "Apache-2.0") {
  return describe<T>("skh.source/1", &SourceOps<T>::table, id, version, summary, schema, flags,
                     licence);
}

template <class T>
constexpr skh_plugin search(const char *id, const char *version, const char *summary,
                            const char *schema, std::uint32_t flags = 0,
                            const char *licence = "Apache-2.0") {
  return describe<T>("skh.search/1", &SearchOps<T>::table, id, version, summary, schema, flags,
                     licence);
}

template <class T>
constexpr skh_plugin auth(const char *id, const char *version, const char *summary,
                          const char *schema, std::uint32_t flags = 0,
                          const char *licence = "Apache-2.0") {
  return describe<T>("skh.auth/1", &AuthOps<T>::table, id, version, summary, schema, flags,
                     licence);
}

// Builds the list that an entry points to, with NULL at its end.
template <std::size_t n>
constexpr std::array<const skh_plugin *, n + 1> listed(const skh_plugin (&plugins)[n]) noexcept {
  std::array<const skh_plugin *, n + 1> list{};
  for (std::size_t i = 0; i < n; ++i) list[i] = &plugins[i];
  return list;
}

template <class... Ops> const void *extensionOf(void *self, const char *id) noexcept {
  const void *found = nullptr;
  ((found = found != nullptr ? found : Ops::extension(self, id)), ...);
  return found;
}

// Adds optional interfaces, each by the Ops of its header:
//   SKH_PLUGIN(skh::withExtensions<skh::HeldOps<Ranking>, skh::ExplainOps<Ranking>>(
//       skh::search<Ranking>("org.example.ranking", "1.0.0", "…", schema)))
// Name all of them in one call: a plugin that already has an `extension` does not compile, or
// throws at run time.
template <class... Ops> constexpr skh_plugin withExtensions(skh_plugin plugin) {
  if (plugin.extension != nullptr)
    throw std::logic_error("withExtensions: the plugin has an extension() already");
  plugin.extension = &extensionOf<Ops...>;
  return plugin;
}

} // namespace skh

// Exports one plugin. The entry symbol is the only symbol that the shared object may export.
#define SKH_PLUGIN(...)                                                                            \
  namespace {                                                                                      \
  constexpr skh_plugin skh_one = __VA_ARGS__;                                                      \
  constexpr const skh_plugin *skh_all[] = {&skh_one, nullptr};                                     \
  }                                                                                                \
  extern "C" SKH_EXPORT const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry),       \
                                                               SKH_ABI_MINOR, 0, skh_all}

// Exports several plugins from one shared object: SKH_PLUGINS(skh::source<A>(…),
// skh::search<B>(…));
#define SKH_PLUGINS(...)                                                                           \
  namespace {                                                                                      \
  constexpr skh_plugin skh_each[] = {__VA_ARGS__};                                                 \
  constexpr auto skh_all = skh::listed(skh_each);                                                  \
  }                                                                                                \
  extern "C" SKH_EXPORT const skh_entry skh_plugin_entry_v1 = {SKH_MAGIC, sizeof(skh_entry),       \
                                                               SKH_ABI_MINOR, 0, skh_all.data()}
