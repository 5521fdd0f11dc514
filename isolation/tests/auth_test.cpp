// SPDX-License-Identifier: Apache-2.0
// Tests an auth plugin in a process of its own. No host uses one yet, so the test calls it directly
// as plugin.h specifies.
#include "catch2.hpp"
#include "process/text.hpp"
#include "running.hpp"

using namespace skillhost;
using namespace running;

namespace {

struct Call {
  Call() : base{sizeof(skh_call), 0, INT64_MAX, &cancelled, &progress, &fail} {}
  static int32_t cancelled(const skh_call *) noexcept { return 0; }
  static void progress(const skh_call *, uint64_t, uint64_t, skh_str) noexcept {}
  static void fail(const skh_call *raw, skh_str message) noexcept {
    reinterpret_cast<const Call *>(raw)->said = process::toStringView(message);
  }
  skh_call base;
  mutable std::string said;
};

struct Sink {
  Sink() : base{sizeof(skh_principals), 0, &accept} {}
  static skh_status accept(const skh_principals *raw, const skh_principal *principal) noexcept {
    const Sink &sink = *reinterpret_cast<const Sink *>(raw);
    sink.subject = process::toStringView(principal->subject);
    for (std::uint32_t i = 0; i < principal->scope_count; ++i)
      sink.scopes += std::string(process::toStringView(principal->scopes[i])) + " ";
    return SKH_OK;
  }
  skh_principals base;
  mutable std::string subject, scopes;
};

skh_host quietHost() {
  skh_host host{};
  host.size = sizeof host;
  host.config = process::toSkhStr("{}");
  host.log = [](const skh_host *, int32_t, skh_str) noexcept {};
  host.metric = [](const skh_host *, int32_t, skh_str, double) noexcept {};
  host.changed = [](const skh_host *) noexcept {};
  host.extension = [](const skh_host *, const char *) noexcept -> const void * { return nullptr; };
  return host;
}

} // namespace

TEST_CASE("credentials are judged in another process, and a crash there is no open door") {
  const std::string file = fixtures + "/probing.so";
  const Result<const skh_entry *> entry = openPlugin(file);
  REQUIRE(entry);
  IsolatedPluginSetup setup;
  setup.file = file;
  process::Proxy proxy(runner, PluginFacts::of(*(*entry)->plugins[1]), std::move(setup));
  const skh_plugin &plugin = proxy.descriptor();
  const auto &auth = *static_cast<const skh_auth *>(plugin.ops);
  const skh_host host = quietHost();
  const Call call;
  void *self = nullptr;
  REQUIRE(plugin.create(&host, &call.base, &self) == SKH_OK);
  const auto validate = [&](std::string_view value, const Sink &sink) {
    skh_credential credential{};
    credential.size = sizeof credential;
    credential.scheme = process::toSkhStr("bearer");
    credential.value = process::toSkhStr(value);
    return auth.validate(self, &call.base, &credential, &sink.base);
  };
  CHECK(auth.check(self, &call.base) == SKH_OK);
  const Sink good, bad;
  CHECK(validate("open sesame", good) == SKH_OK);
  CHECK(good.subject == "ali");
  CHECK(good.scopes == "read write ");
  CHECK(validate("guess", bad) == SKH_DENIED);
  CHECK(call.said == "unknown");
  CHECK(validate("crash", bad) == SKH_UNAVAILABLE);
  CHECK(bad.subject.empty());
  CHECK(validate("open sesame", bad) == SKH_OK);
  plugin.destroy(self);
}
