// SPDX-License-Identifier: Apache-2.0
#include "sinks.hpp"

#include "stand_in.hpp"

namespace skillhost::check {
namespace {

constexpr std::size_t mostHits = 10'000;

} // namespace

ByteSink::ByteSink(std::size_t room) : room_(room), raw_({sizeof(skh_bytes), 0, &write}, this) {}

skh_status ByteSink::write(const skh_bytes *raw, const void *data, size_t size) noexcept try {
  auto &sink = Placed<skh_bytes>::owner<ByteSink>(raw);
  const std::scoped_lock lock(sink.mutex_);
  if (sink.refused) ++sink.afterRefusal;
  if (sink.refused || size > sink.room_ - sink.bytes.size()) {
    sink.refused = true;
    return SKH_TOO_LARGE;
  }
  if (size != 0) sink.bytes.append(static_cast<const char *>(data), size);
  return SKH_OK;
} catch (...) {
  return SKH_TOO_LARGE;
}

DocumentSink::DocumentSink(std::size_t room)
    : room_(room), raw_({sizeof(skh_documents), 0, &add, &done}, this) {}

skh_status DocumentSink::add(const skh_documents *raw, const skh_document *document) noexcept try {
  auto &sink = Placed<skh_documents>::owner<DocumentSink>(raw);
  const std::scoped_lock lock(sink.mutex_);
  if (sink.endings != 0) ++sink.afterEnd;
  if (sink.refused) ++sink.afterRefusal;
  if (sink.refused || sink.documents.size() >= sink.room_) {
    sink.refused = true;
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
  sink.documents.push_back(std::move(copy));
  return SKH_OK;
} catch (...) {
  return SKH_TOO_LARGE;
}

skh_status DocumentSink::done(const skh_documents *raw, skh_str snapshot) noexcept try {
  auto &sink = Placed<skh_documents>::owner<DocumentSink>(raw);
  const std::scoped_lock lock(sink.mutex_);
  ++sink.endings;
  if (sink.refused) ++sink.afterRefusal;
  sink.snapshot = view(snapshot);
  return sink.refused ? SKH_TOO_LARGE : SKH_OK;
} catch (...) {
  return SKH_TOO_LARGE;
}

HitSink::HitSink() : raw_({sizeof(skh_hits), 0, &add}, this) {}

skh_status HitSink::add(const skh_hits *raw, const skh_hit *hit) noexcept try {
  auto &sink = Placed<skh_hits>::owner<HitSink>(raw);
  const std::scoped_lock lock(sink.mutex_);
  if (sink.hits.size() >= mostHits) return SKH_TOO_LARGE;
  sink.hits.push_back({std::string(view(hit->id)), std::string(view(hit->snippet)), hit->score});
  return SKH_OK;
} catch (...) {
  return SKH_TOO_LARGE;
}

HeldSink::HeldSink(std::size_t room)
    : room_(room), raw_({sizeof(skh_held_entries), 0, &add}, this) {}

skh_status HeldSink::add(const skh_held_entries *raw, skh_str id, skh_str revision) noexcept try {
  auto &sink = Placed<skh_held_entries>::owner<HeldSink>(raw);
  const std::scoped_lock lock(sink.mutex_);
  if (sink.refused) ++sink.afterRefusal;
  if (sink.refused || sink.entries.size() >= sink.room_) {
    sink.refused = true;
    return SKH_TOO_LARGE;
  }
  sink.entries.push_back({std::string(view(id)), std::string(view(revision))});
  return SKH_OK;
} catch (...) {
  return SKH_TOO_LARGE;
}

PrincipalSink::PrincipalSink() : raw_({sizeof(skh_principals), 0, &accept}, this) {}

skh_status PrincipalSink::accept(const skh_principals *raw, const skh_principal *principal) noexcept
    try {
  auto &sink = Placed<skh_principals>::owner<PrincipalSink>(raw);
  const std::scoped_lock lock(sink.mutex_);
  AcceptedPrincipal copy;
  copy.subject = view(principal->subject);
  copy.issuer = view(principal->issuer);
  copy.claims = view(principal->claims);
  for (std::uint32_t i = 0; i < principal->scope_count; ++i)
    copy.scopes.emplace_back(view(principal->scopes[i]));
  copy.expiresAt = principal->expires_at;
  copy.cacheSeconds = principal->cache_seconds;
  sink.accepted.push_back(std::move(copy));
  return SKH_OK;
} catch (...) {
  return SKH_TOO_LARGE;
}

} // namespace skillhost::check
