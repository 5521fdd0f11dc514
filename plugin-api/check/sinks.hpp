// SPDX-License-Identifier: Apache-2.0
// Defines sinks: objects that receive the output of a plugin. They keep it unchanged, and record
// calls that break the rules of plugin.h.
#pragma once

#include "ground/c_table.hpp"
#include "placed.hpp"

#include <skillhost/held.h>
#include <skillhost/plugin.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost::check {

template <auto method> using SinkFunction = TableFunction<method, SKH_TOO_LARGE>;

// Each sink serves one call, from any threads of the plugin. Its fields are read after the call.
class ByteSink {
public:
  using Raw = Placed<skh_bytes>;
  // Accepts `room` bytes. A write beyond that is refused with SKH_TOO_LARGE.
  explicit ByteSink(std::size_t room);
  const skh_bytes *raw() const noexcept { return raw_.get(); }
  std::string bytes;
  bool refused = false;
  unsigned afterRefusal = 0; // writes after the refusal

private:
  skh_status write(const void *data, size_t size);
  std::mutex mutex_;
  const std::size_t room_;
  Raw raw_;
};

struct ListedDocument {
  std::string skill, path, revision, location;
  std::uint64_t length = 0;
  std::uint32_t flags = 0, size = 0;
};

class DocumentSink {
public:
  using Raw = Placed<skh_documents>;
  // Refuses documents after the first `room` with SKH_TOO_LARGE.
  explicit DocumentSink(std::size_t room = 1'000'000);
  const skh_documents *raw() const noexcept { return raw_.get(); }
  std::vector<ListedDocument> documents;
  std::string snapshot;
  unsigned endings = 0;      // calls of done()
  unsigned afterEnd = 0;     // calls after the first done()
  unsigned afterRefusal = 0; // documents after the first refused one
  bool refused = false;

private:
  skh_status add(const skh_document *document);
  skh_status done(skh_str id);
  std::mutex mutex_;
  const std::size_t room_;
  Raw raw_;
};

struct FoundHit {
  std::string id, snippet;
  double score = 0;
};

class HitSink {
public:
  using Raw = Placed<skh_hits>;
  HitSink();
  const skh_hits *raw() const noexcept { return raw_.get(); }
  std::vector<FoundHit> hits;

private:
  skh_status add(const skh_hit *hit);
  std::mutex mutex_;
  Raw raw_;
};

struct HeldPair {
  std::string id, revision;
};

class HeldSink {
public:
  using Raw = Placed<skh_held_entries>;
  // Refuses entries after the first `room` with SKH_TOO_LARGE.
  explicit HeldSink(std::size_t room = 1'000'000);
  const skh_held_entries *raw() const noexcept { return raw_.get(); }
  std::vector<HeldPair> entries;
  bool refused = false;
  unsigned afterRefusal = 0;

private:
  skh_status add(skh_str id, skh_str revision);
  std::mutex mutex_;
  const std::size_t room_;
  Raw raw_;
};

struct AcceptedPrincipal {
  std::string subject, issuer, claims;
  std::vector<std::string> scopes;
  std::int64_t expiresAt = 0;
  std::uint32_t cacheSeconds = 0;
};

class PrincipalSink {
public:
  using Raw = Placed<skh_principals>;
  PrincipalSink();
  const skh_principals *raw() const noexcept { return raw_.get(); }
  std::vector<AcceptedPrincipal> accepted; // good and bad ones
  std::string_view fault;                  // of the first bad one, as the host words it

private:
  skh_status accept(const skh_principal *principal);
  std::mutex mutex_;
  Raw raw_;
};

} // namespace skillhost::check
