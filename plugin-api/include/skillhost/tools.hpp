// SPDX-License-Identifier: Apache-2.0
// skillhost/tools.hpp - C++20 convenience over tools.h: the kind "skh.tools/1". Header only.
//
//   class Clock final : public skh::Tools { public: Clock(skh::Host, const skh::Call &); ... };
//   SKH_PLUGIN(skh::tools<Clock>("org.example.clock", "1.0.0", "What time it is", schema))
//
// As in plugin.hpp, methods may throw, and views passed to them are valid until they return.
#pragma once

#include <skillhost/plugin.hpp>
#include <skillhost/tools.h>

#include <string>
#include <string_view>

namespace skh {

// The client that made the call. Valid until the method returns. Any thread may use it.
class Exchange {
public:
  explicit Exchange(const skh_exchange *raw) noexcept : raw_(raw) {}
  bool mayAsk() const noexcept { return (raw_->flags & SKH_MAY_ASK) != 0; }
  bool mayRequireInput() const noexcept { return (raw_->flags & SKH_MAY_REQUIRE_INPUT) != 0; }
  std::string_view clientCapabilities() const noexcept {
    return view(raw_->client_capabilities_json);
  }
  std::string_view inputResponses() const noexcept { return view(raw_->input_responses_json); }
  std::string_view requestState() const noexcept { return view(raw_->request_state); }
  // Empty if the caller is not identified, or if the host is older than these members.
  std::string_view issuer() const noexcept { return knowsCaller() ? view(raw_->issuer) : ""; }
  std::string_view subject() const noexcept { return knowsCaller() ? view(raw_->subject) : ""; }
  // False if the host is older than these members: it knows no permissions of entries either.
  bool knowsCaller() const noexcept { return SKH_HAS(raw_, caller); }
  // `what` is one or more of SKH_CALLER_*. Returns true if all of them hold.
  bool callerHas(std::uint32_t what) const noexcept {
    return knowsCaller() && (raw_->caller & what) == what;
  }
  // `dataJson` is one JSON value, so a text needs quotes. Throws Error if the message is refused.
  void log(std::int32_t level, std::string_view logger, std::string_view dataJson) const {
    check(raw_->log(raw_, level, borrow(logger), borrow(dataJson)), "log message refused");
  }
  // Waits and returns the client's answer, a JSON object. Throws Error with the status of ask().
  std::string ask(std::string_view method, std::string_view paramsJson) const {
    Answer answer;
    check(raw_->ask(raw_, borrow(method), borrow(paramsJson), &answer.base),
          "the client did not answer");
    return answer.text;
  }

private:
  struct Answer {
    static skh_status write(const skh_bytes *raw, const void *data, std::size_t size) noexcept {
      try {
        // The object is an Answer that is not const, and base is its first member.
        reinterpret_cast<Answer *>(const_cast<skh_bytes *>(raw))
            ->text.append(static_cast<const char *>(data), size);
        return SKH_OK;
      } catch (...) {
        return SKH_TOO_LARGE;
      }
    }
    skh_bytes base{sizeof(skh_bytes), 0, &write};
    std::string text{};
  };
  const skh_exchange *raw_;
};

struct Completion {
  std::string_view reference, argument, value, context;
};

// All texts are JSON; tools.h specifies their form.
class Tools {
public:
  virtual ~Tools() = default;
  virtual std::string list(const Call &) = 0;
  virtual std::string callTool(const Call &, const Exchange &, std::string_view name,
                               std::string_view arguments) = 0;
  virtual std::string getPrompt(const Call &, const Exchange &, std::string_view,
                                std::string_view) {
    throw Error(SKH_NOT_FOUND, "there are no prompts");
  }
  virtual std::string readResource(const Call &, const Exchange &, std::string_view) {
    throw Error(SKH_NOT_FOUND, "there are no resources");
  }
  virtual std::string complete(const Call &, const Completion &) { return R"({"values":[]})"; }
};

template <class T> struct ToolsOps {
  static skh_status list(void *self, const skh_call *c, const skh_bytes *out) noexcept {
    return guard(c, [&] { Bytes{out}.write(static_cast<T *>(self)->list(Call{c})); });
  }
  static skh_status callTool(void *self, const skh_call *c, const skh_exchange *e, skh_str name,
                             skh_str arguments, const skh_bytes *out) noexcept {
    return guard(c, [&] {
      Bytes{out}.write(
          static_cast<T *>(self)->callTool(Call{c}, Exchange{e}, view(name), view(arguments)));
    });
  }
  static skh_status getPrompt(void *self, const skh_call *c, const skh_exchange *e, skh_str name,
                              skh_str arguments, const skh_bytes *out) noexcept {
    return guard(c, [&] {
      Bytes{out}.write(
          static_cast<T *>(self)->getPrompt(Call{c}, Exchange{e}, view(name), view(arguments)));
    });
  }
  static skh_status readResource(void *self, const skh_call *c, const skh_exchange *e, skh_str uri,
                                 const skh_bytes *out) noexcept {
    return guard(c, [&] {
      Bytes{out}.write(static_cast<T *>(self)->readResource(Call{c}, Exchange{e}, view(uri)));
    });
  }
  static skh_status complete(void *self, const skh_call *c, const skh_completion *what,
                             const skh_bytes *out) noexcept {
    return guard(c, [&] {
      Bytes{out}.write(
          static_cast<T *>(self)->complete(Call{c}, {view(what->reference), view(what->argument),
                                                     view(what->value), view(what->context_json)}));
    });
  }
  static constexpr skh_tools table{sizeof(skh_tools), 0,        &list, &callTool, &getPrompt,
                                   &readResource,     &complete};
};

template <class T>
constexpr skh_plugin tools(const char *id, const char *version, const char *summary,
                           const char *schema, std::uint32_t flags = 0,
                           const char *licence = "Apache-2.0") {
  return describe<T>(SKH_TOOLS_KIND, &ToolsOps<T>::table, id, version, summary, schema, flags,
                     licence);
}

} // namespace skh
