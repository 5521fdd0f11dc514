// SPDX-License-Identifier: Apache-2.0
// A filter that takes e-mail addresses out of the skills of the source that it wraps.
#include "addresses.hpp"

#include <skillhost/config.hpp>
#include <skillhost/upstream.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

// The end of every revision. It differs for other settings, because the bytes differ, too.
std::string markOf(std::string_view settings) {
  std::uint64_t hash = 0xcbf29ce484222325U; // FNV-1a
  for (const char c : settings) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  std::array<char, 16> digits{};
  char *const end = std::to_chars(digits.data(), digits.data() + digits.size(), hash, 16).ptr;
  return "+redact-1-" + std::string(digits.data(), end);
}

class Redact final : public skh::Source {
public:
  Redact(skh::Host host, const skh::Call &) : upstream_(host), mark_(markOf(host.config())) {
    const skh::Config config(host);
    replacement_ = config.text("replacement", "[e-mail address]");
    kept_ = config.texts("keep");
  }

  void list(const skh::Call &call, const skh::Documents &out) override {
    out.done(upstream_.list(call, [&](const skh::Document &one) { add(one, out); }) + mark_);
  }

  void changes(const skh::Call &call, std::string_view since, const skh::Documents &out) override {
    const auto take = [&](const skh::Document &one) { add(one, out); };
    out.done(upstream_.changes(call, withoutMark(since), take) + mark_);
  }

  void read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) override {
    skh::Document inner = which;
    inner.revision = withoutMark(which.revision);
    const std::string text = upstream_.read(call, inner);
    const bool isBinary = text.find('\0') != std::string::npos;
    out.write(isBinary ? text : redact::withoutAddresses(text, replacement_, kept_));
  }

private:
  void add(skh::Document one, const skh::Documents &out) const {
    const std::string revision = std::string(one.revision) + mark_;
    one.revision = revision;
    one.length = UINT64_MAX; // known only after reading
    one.location = {};       // the file there has the addresses
    out.add(one);
  }
  // Throws if the revision is not one of this filter with these settings.
  std::string_view withoutMark(std::string_view revision) const {
    if (!revision.ends_with(mark_)) throw skh::Error(SKH_STALE, "a revision of other settings");
    return revision.substr(0, revision.size() - mark_.size());
  }

  const skh::Upstream upstream_;
  const std::string mark_;
  std::string replacement_;
  std::vector<std::string> kept_;
};

constexpr const char *schema = R"({
  "type": "object",
  "additionalProperties": false,
  "properties": {
    "replacement": {"type": "string", "description": "Stands in the place of each address."},
    "keep": {"type": "array", "items": {"type": "string"}, "description": "Domains whose addresses stay."}
  }
})";

} // namespace

SKH_PLUGIN(skh::source<Redact>("org.skillhost.example.redact", "1.0.0",
                               "Takes e-mail addresses out of skills", schema));
