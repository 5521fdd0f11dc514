// SPDX-License-Identifier: Apache-2.0
#include "sinks.hpp"

#include "base/document_path.hpp"
#include "frame.hpp"
#include "ground/document_names.hpp"
#include "ground/utf8.hpp"

#include <algorithm>
#include <cmath>
#include <new>

namespace skillhost {
namespace {

constexpr std::size_t maxDocuments = 1'000'000;
constexpr std::size_t maxListBytes = 256U << 20U;
constexpr std::size_t maxRevisionBytes = 4096;
constexpr std::size_t maxReserved = 1U << 20U;
constexpr std::size_t maxSnippetBytes = 1000;

} // namespace

skh_document borrow(const Document &document) noexcept {
  return {sizeof(skh_document),
          (document.entry ? std::uint32_t{SKH_DOC_ENTRY} : 0U) |
              (document.executable ? std::uint32_t{SKH_DOC_EXECUTABLE} : 0U),
          borrow(document.skill),
          borrow(document.path),
          borrow(document.revision),
          document.length,
          borrow(document.location)};
}

BytesSink::BytesSink(const CallFrame &frame, std::size_t limit, std::size_t expected)
    : frame_(frame), limit_(limit),
      raw_({sizeof(skh_bytes), 0, &SinkFunction<&BytesSink::write>::call}, this) {
  // The announced size may be a lie, so memory is taken as the bytes arrive.
  bytes_.reserve(std::min({limit, expected, maxReserved}));
}

skh_status BytesSink::write(const void *data, size_t size) {
  if (frame_.isGivenUp()) return SKH_CANCELLED;
  if (size > limit_ - bytes_.size()) {
    overflowed_ = true;
    return SKH_TOO_LARGE;
  }
  bytes_.append(static_cast<const char *>(data), size);
  return SKH_OK;
}

DocumentsSink::DocumentsSink(const CallFrame &frame)
    : frame_(frame), raw_({sizeof(skh_documents), 0, &SinkFunction<&DocumentsSink::add>::call,
                           &SinkFunction<&DocumentsSink::done>::call},
                          this) {}

skh_status DocumentsSink::add(const skh_document *document) {
  if (frame_.isGivenUp()) return SKH_CANCELLED;
  if (endings != 0) {
    late = true;
    return SKH_INVALID;
  }
  bytes_ += document->skill.size + document->path.size + document->revision.size +
            (SKH_HAS(document, location) ? document->location.size : 0);
  if (documents.size() + removed.size() >= maxDocuments || bytes_ > maxListBytes) {
    hasOverflowed = true;
    return SKH_TOO_LARGE;
  }
  const std::string_view skill = view(document->skill), path = view(document->path);
  // Documents of one skill mostly follow each other, so its path is checked once for all of them.
  const bool isKnown = !documents.empty() && documents.back().skill == skill;
  std::string_view why = isKnown ? std::string_view{} : faultInDocumentPath(skill);
  const std::string_view which = why.empty() ? path : skill;
  if (why.empty()) why = faultInDocumentPath(path);
  if (why.empty() && document->revision.size > maxRevisionBytes) why = "has too long a revision";
  if (!why.empty()) {
    if (refused++ == 0)
      firstRefusal = "\"" + mendUtf8(cutUtf8(which, 200)) + "\" " + std::string(why);
    return SKH_OK;
  }
  // Litter is left out without a warning, because it comes and goes while a skill is used.
  if (const NameKind kind = kindOfPath(path); kind != NameKind::Document) {
    if (kind == NameKind::Secret && (document->flags & SKH_DOC_REMOVED) == 0)
      secrets.push_back(std::string(skill) + '/' + std::string(path));
    return SKH_OK;
  }
  Document copy;
  copy.skill = skill;
  copy.path = path;
  if ((document->flags & SKH_DOC_REMOVED) != 0) {
    removed.push_back(std::move(copy));
    return SKH_OK;
  }
  copy.revision = view(document->revision);
  copy.length = document->length;
  copy.entry = (document->flags & SKH_DOC_ENTRY) != 0;
  copy.executable = (document->flags & SKH_DOC_EXECUTABLE) != 0;
  if (SKH_HAS(document, location) && document->location.size <= maxDocumentPathBytes &&
      isUtf8(view(document->location)))
    copy.location = view(document->location);
  documents.push_back(std::move(copy));
  return SKH_OK;
}

skh_status DocumentsSink::done(skh_str snapshot) {
  if (frame_.isGivenUp()) return SKH_CANCELLED;
  if (snapshot.size > maxRevisionBytes) return SKH_TOO_LARGE;
  if (endings++ != 0) return SKH_INVALID;
  revision = view(snapshot);
  return SKH_OK;
}

HeldSink::HeldSink(const CallFrame &frame)
    : frame_(frame),
      raw_({sizeof(skh_held_entries), 0, &SinkFunction<&HeldSink::add>::call}, this) {}

skh_status HeldSink::add(skh_str id, skh_str revision) {
  if (frame_.isGivenUp()) return SKH_CANCELLED;
  if (id.size == 0 || id.size > maxDocumentPathBytes || revision.size > maxRevisionBytes) {
    broken = true;
    return SKH_INVALID;
  }
  bytes_ += id.size + revision.size;
  if (entries.size() >= maxDocuments || bytes_ > maxListBytes) {
    hasOverflowed = true;
    return SKH_TOO_LARGE;
  }
  entries.push_back({std::string(view(id)), std::string(view(revision))});
  return SKH_OK;
}

HitsSink::HitsSink(const CallFrame &frame, std::size_t limit)
    : frame_(frame), limit_(limit),
      raw_({sizeof(skh_hits), 0, &SinkFunction<&HitsSink::add>::call}, this) {}

skh_status HitsSink::add(const skh_hit *hit) {
  if (frame_.isGivenUp()) return SKH_CANCELLED;
  if (hits.size() >= limit_) return SKH_TOO_LARGE;
  if (!std::isfinite(hit->score) || hit->id.size > maxDocumentPathBytes) return SKH_INVALID;
  hits.push_back({std::string(view(hit->id)), hit->score,
                  mendUtf8(cutUtf8(view(hit->snippet), maxSnippetBytes))});
  return SKH_OK;
}

} // namespace skillhost
