// SPDX-License-Identifier: Apache-2.0
#include "sinks.hpp"

#include "handlers/principal_rules.hpp"
#include "stand_in.hpp"

namespace skillhost::check {
namespace {

constexpr std::size_t maxHits = 10'000;

} // namespace

ByteSink::ByteSink(std::size_t room)
    : room_(room), raw_({sizeof(skh_bytes), 0, &SinkFunction<&ByteSink::write>::call}, this) {}

skh_status ByteSink::write(const void *data, size_t size) {
  const std::scoped_lock lock(mutex_);
  if (refused) ++afterRefusal;
  if (refused || size > room_ - bytes.size()) {
    refused = true;
    return SKH_TOO_LARGE;
  }
  if (size != 0) bytes.append(static_cast<const char *>(data), size);
  return SKH_OK;
}

DocumentSink::DocumentSink(std::size_t room)
    : room_(room), raw_({sizeof(skh_documents), 0, &SinkFunction<&DocumentSink::add>::call,
                         &SinkFunction<&DocumentSink::done>::call},
                        this) {}

skh_status DocumentSink::add(const skh_document *document) {
  const std::scoped_lock lock(mutex_);
  if (endings != 0) ++afterEnd;
  if (refused) ++afterRefusal;
  if (refused || documents.size() >= room_) {
    refused = true;
    return SKH_TOO_LARGE;
  }
  ListedDocument copy;
  copy.size = document->size;
  copy.flags = document->flags;
  copy.skill = view(document->skill);
  copy.path = view(document->path);
  copy.revision = view(document->revision);
  copy.length = document->length;
  if (SKH_HAS(document, location)) copy.location = view(document->location);
  documents.push_back(std::move(copy));
  return SKH_OK;
}

skh_status DocumentSink::done(skh_str id) {
  const std::scoped_lock lock(mutex_);
  ++endings;
  if (refused) ++afterRefusal;
  snapshot = view(id);
  return refused ? SKH_TOO_LARGE : SKH_OK;
}

HitSink::HitSink() : raw_({sizeof(skh_hits), 0, &SinkFunction<&HitSink::add>::call}, this) {}

skh_status HitSink::add(const skh_hit *hit) {
  const std::scoped_lock lock(mutex_);
  if (hits.size() >= maxHits) return SKH_TOO_LARGE;
  hits.push_back({std::string(view(hit->id)), std::string(view(hit->snippet)), hit->score});
  return SKH_OK;
}

HeldSink::HeldSink(std::size_t room)
    : room_(room), raw_({sizeof(skh_held_entries), 0, &SinkFunction<&HeldSink::add>::call}, this) {}

skh_status HeldSink::add(skh_str id, skh_str revision) {
  const std::scoped_lock lock(mutex_);
  if (refused) ++afterRefusal;
  if (refused || entries.size() >= room_) {
    refused = true;
    return SKH_TOO_LARGE;
  }
  entries.push_back({std::string(view(id)), std::string(view(revision))});
  return SKH_OK;
}

PrincipalSink::PrincipalSink()
    : raw_({sizeof(skh_principals), 0, &SinkFunction<&PrincipalSink::accept>::call}, this) {}

skh_status PrincipalSink::accept(const skh_principal *principal) {
  const std::scoped_lock lock(mutex_);
  if (const std::string_view wrong = faultIn(*principal); !wrong.empty()) {
    if (fault.empty()) fault = wrong;
    accepted.emplace_back();
    return SKH_INVALID;
  }
  AcceptedPrincipal copy;
  copy.subject = view(principal->subject);
  copy.issuer = view(principal->issuer);
  copy.claims = view(principal->claims);
  for (std::uint32_t i = 0; i < principal->scope_count; ++i)
    copy.scopes.emplace_back(view(principal->scopes[i]));
  copy.expiresAt = principal->expires_at;
  copy.cacheSeconds = principal->cache_seconds;
  accepted.push_back(std::move(copy));
  return SKH_OK;
}

} // namespace skillhost::check
