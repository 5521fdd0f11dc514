// SPDX-License-Identifier: Apache-2.0
// The sinks receive the results of plugins: they copy, check and limit them. Once the call is given
// up, a sink accepts nothing more and answers SKH_CANCELLED, so that an abandoned plugin cannot
// fill memory.
#pragma once

#include "frame.hpp"
#include "plugin/document.hpp"
#include "plugin/search.hpp"

#include <skillhost/held.h>
#include <skillhost/plugin.h>

#include <cstddef>
#include <string>
#include <vector>

namespace skillhost {

// The texts are those of the document.
skh_document borrow(const Document &document) noexcept;

class BytesSink {
public:
  using Raw = OwnedTable<skh_bytes>;
  BytesSink(const CallFrame &frame, std::size_t limit, std::size_t expected);
  BytesSink(const BytesSink &) = delete;
  BytesSink &operator=(const BytesSink &) = delete;
  const skh_bytes *raw() const noexcept { return raw_.get(); }
  std::string &bytes() noexcept { return bytes_; }
  bool hasOverflowed() const noexcept { return overflowed_; }

private:
  skh_status write(const void *data, size_t size);
  const CallFrame &frame_;
  std::string bytes_;
  std::size_t limit_;
  bool overflowed_ = false;
  Raw raw_;
};

// A document that breaks the rules is left out and counted, so that one bad name does not cost the
// rest. Litter and files of secrets (ground/document_names.hpp) are left out of every source. A
// listing that breaks the order (no snapshot named at the end, or one named twice) is void as a
// whole.
class DocumentsSink {
public:
  using Raw = OwnedTable<skh_documents>;
  explicit DocumentsSink(const CallFrame &frame);
  DocumentsSink(const DocumentsSink &) = delete;
  DocumentsSink &operator=(const DocumentsSink &) = delete;
  const skh_documents *raw() const noexcept { return raw_.get(); }

  std::vector<Document> documents, removed;
  std::string revision;
  int endings = 0;                  // calls of done(): must be 1
  bool late = false;                // add() after done()
  bool hasOverflowed = false;       // more was listed than is accepted, so this is not all
  std::size_t refused = 0;          // documents left out
  std::string firstRefusal;         // why the first of them was left out
  std::vector<std::string> secrets; // documents left out because of their names

private:
  skh_status add(const skh_document *document);
  skh_status done(skh_str snapshot);
  const CallFrame &frame_;
  std::size_t bytes_ = 0; // of names, revisions and locations
  Raw raw_;
};

// A breach of the rules of held.h makes the whole list void, because the list decides what an
// update leaves out.
class HeldSink {
public:
  using Raw = OwnedTable<skh_held_entries>;
  explicit HeldSink(const CallFrame &frame);
  HeldSink(const HeldSink &) = delete;
  HeldSink &operator=(const HeldSink &) = delete;
  const skh_held_entries *raw() const noexcept { return raw_.get(); }
  std::vector<HeldEntry> entries;
  bool hasOverflowed = false, broken = false;

private:
  skh_status add(skh_str id, skh_str revision);
  const CallFrame &frame_;
  std::size_t bytes_ = 0;
  Raw raw_;
};

class HitsSink {
public:
  using Raw = OwnedTable<skh_hits>;
  HitsSink(const CallFrame &frame, std::size_t limit);
  HitsSink(const HitsSink &) = delete;
  HitsSink &operator=(const HitsSink &) = delete;
  const skh_hits *raw() const noexcept { return raw_.get(); }
  std::vector<SearchHit> hits;

private:
  skh_status add(const skh_hit *hit);
  const CallFrame &frame_;
  std::size_t limit_;
  Raw raw_;
};

} // namespace skillhost
