// SPDX-License-Identifier: Apache-2.0
#include "sinks.hpp"

#include "frame.hpp"
#include "ground/document_names.hpp"
#include "ground/utf8.hpp"
#include "plugin/document_path.hpp"

#include <algorithm>
#include <cmath>
#include <new>

namespace skillhost {
namespace {

constexpr std::size_t mostDocuments = 1'000'000;
constexpr std::size_t mostBytes = 256U << 20U;
constexpr std::size_t longestRevision = 4096;
constexpr std::size_t mostReserved = 1U << 20U;
constexpr std::size_t longestSnippet = 1000;

} // namespace

BytesSink::BytesSink(const CallFrame &frame, std::size_t limit, std::size_t expected)
    : frame_(frame), limit_(limit), raw_{{sizeof(skh_bytes), 0, &write}, this} {
  // What is announced may be a lie: memory is taken as the bytes come.
  bytes_.reserve(std::min({limit, expected, mostReserved}));
}

skh_status BytesSink::write(const skh_bytes *raw, const void *data, size_t size) noexcept try {
  BytesSink &sink = *reinterpret_cast<const Raw *>(raw)->owner;
  if (sink.frame_.givenUp()) return SKH_CANCELLED;
  if (size > sink.limit_ - sink.bytes_.size()) {
    sink.overflowed_ = true;
    return SKH_TOO_LARGE;
  }
  sink.bytes_.append(static_cast<const char *>(data), size);
  return SKH_OK;
} catch (...) {
  return SKH_TOO_LARGE;
}

DocumentsSink::DocumentsSink(const CallFrame &frame)
    : frame_(frame), raw_{{sizeof(skh_documents), 0, &add, &done}, this} {}

skh_status DocumentsSink::add(const skh_documents *raw, const skh_document *document) noexcept try {
  DocumentsSink &sink = *reinterpret_cast<const Raw *>(raw)->owner;
  if (sink.frame_.givenUp()) return SKH_CANCELLED;
  if (sink.endings != 0) {
    sink.late = true;
    return SKH_INVALID;
  }
  sink.bytes_ += document->skill.size + document->path.size + document->revision.size +
                 (SKH_HAS(document, location) ? document->location.size : 0);
  if (sink.documents.size() + sink.removed.size() >= mostDocuments || sink.bytes_ > mostBytes) {
    sink.overflowed = true;
    return SKH_TOO_LARGE;
  }
  const std::string_view skill = view(document->skill), path = view(document->path);
  // Documents of one skill mostly follow each other, and its path is checked once for all of them.
  const bool isKnown = !sink.documents.empty() && sink.documents.back().skill == skill;
  std::string_view why = isKnown ? std::string_view{} : faultInDocumentPath(skill);
  const std::string_view which = why.empty() ? path : skill;
  if (why.empty()) why = faultInDocumentPath(path);
  if (why.empty() && document->revision.size > longestRevision) why = "has too long a revision";
  if (!why.empty()) {
    if (sink.refused++ == 0)
      sink.firstRefusal = "\"" + mendUtf8(cutUtf8(which, 200)) + "\" " + std::string(why);
    return SKH_OK;
  }
  // Litter is left out without a word: it comes and goes while a skill is used.
  if (const NameKind kind = kindOfPath(path); kind != NameKind::Document) {
    if (kind == NameKind::Secret && (document->flags & SKH_DOC_REMOVED) == 0)
      sink.secrets.push_back(std::string(skill) + '/' + std::string(path));
    return SKH_OK;
  }
  Document copy;
  copy.skill = skill;
  copy.path = path;
  if ((document->flags & SKH_DOC_REMOVED) != 0) {
    sink.removed.push_back(std::move(copy));
    return SKH_OK;
  }
  copy.revision = view(document->revision);
  copy.length = document->length;
  copy.entry = (document->flags & SKH_DOC_ENTRY) != 0;
  copy.executable = (document->flags & SKH_DOC_EXECUTABLE) != 0;
  if (SKH_HAS(document, location) && document->location.size <= longestDocumentPath &&
      isUtf8(view(document->location)))
    copy.location = view(document->location);
  sink.documents.push_back(std::move(copy));
  return SKH_OK;
} catch (...) {
  return SKH_TOO_LARGE;
}

skh_status DocumentsSink::done(const skh_documents *raw, skh_str snapshot) noexcept try {
  DocumentsSink &sink = *reinterpret_cast<const Raw *>(raw)->owner;
  if (sink.frame_.givenUp()) return SKH_CANCELLED;
  if (snapshot.size > longestRevision) return SKH_TOO_LARGE;
  if (sink.endings++ != 0) return SKH_INVALID;
  sink.revision = view(snapshot);
  return SKH_OK;
} catch (...) {
  return SKH_TOO_LARGE;
}

HeldSink::HeldSink(const CallFrame &frame)
    : frame_(frame), raw_{{sizeof(skh_held_entries), 0, &add}, this} {}

skh_status HeldSink::add(const skh_held_entries *raw, skh_str id, skh_str revision) noexcept try {
  HeldSink &sink = *reinterpret_cast<const Raw *>(raw)->owner;
  if (sink.frame_.givenUp()) return SKH_CANCELLED;
  if (id.size == 0 || id.size > longestDocumentPath || revision.size > longestRevision) {
    sink.broken = true;
    return SKH_INVALID;
  }
  sink.bytes_ += id.size + revision.size;
  if (sink.entries.size() >= mostDocuments || sink.bytes_ > mostBytes) {
    sink.overflowed = true;
    return SKH_TOO_LARGE;
  }
  sink.entries.push_back({std::string(view(id)), std::string(view(revision))});
  return SKH_OK;
} catch (...) {
  return SKH_TOO_LARGE;
}

HitsSink::HitsSink(const CallFrame &frame, std::size_t limit)
    : frame_(frame), limit_(limit), raw_{{sizeof(skh_hits), 0, &add}, this} {}

skh_status HitsSink::add(const skh_hits *raw, const skh_hit *hit) noexcept try {
  HitsSink &sink = *reinterpret_cast<const Raw *>(raw)->owner;
  if (sink.frame_.givenUp()) return SKH_CANCELLED;
  if (sink.hits.size() >= sink.limit_) return SKH_TOO_LARGE;
  if (!std::isfinite(hit->score) || hit->id.size > longestDocumentPath) return SKH_INVALID;
  sink.hits.push_back({std::string(view(hit->id)), hit->score,
                       mendUtf8(cutUtf8(view(hit->snippet), longestSnippet))});
  return SKH_OK;
} catch (...) {
  return SKH_TOO_LARGE;
}

} // namespace skillhost
