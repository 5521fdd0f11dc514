// SPDX-License-Identifier: Apache-2.0
// Builds one segment from new entries, or from segments without their removed entries.
#pragma once

#include "analysis.hpp"
#include "segment.hpp"

#include <functional>
#include <map>
#include <span>

namespace skillhost::keyword {

struct NewEntry {
  std::string revision, name, description;
  Attributes attributes;
  std::string body;
};
using NewEntries = std::map<std::string, NewEntry, std::less<>>; // by id

// Receives the bodies of a segment while it is built.
class BodySink {
public:
  virtual ~BodySink() = default;
  // Must be called once for every entry, in order.
  void add(std::string_view packed, std::uint32_t bytes) {
    const std::uint64_t at = packed.empty() ? 0 : write(packed);
    places_.push_back({at, static_cast<std::uint32_t>(packed.size()), packed.empty() ? 0 : bytes});
  }

protected:
  virtual std::uint64_t write(std::string_view packed) = 0; // returns the offset of the bytes
  std::vector<BodyPlace> places_;
};

class MemoryBodies final : public BodySink {
public:
  Bodies finish() { return {std::move(places_), std::move(packed_)}; }

private:
  std::uint64_t write(std::string_view packed) override {
    packed_ += packed;
    return packed_.size() - packed.size();
  }
  std::string packed_;
};

// Both functions sort entries by id. The owner of the sink sets Segment::bodies afterwards.
Segment segmentOf(std::span<const NewEntries::value_type *const> entries, Stems &stems,
                  BodySink &bodies);

struct MergeInput {
  std::shared_ptr<const Segment> segment;
  std::shared_ptr<const RemovedEntries> removed;
};
inline constexpr std::uint32_t gone = UINT32_MAX;
// New place of each input's entries, or `gone`.
using Places = std::vector<std::vector<std::uint32_t>>;
// Throws what `checkpoint` throws, and std::runtime_error if a body cannot be read, because the new
// segment would lose that body for good.
Segment merged(std::span<const MergeInput> inputs, BodySink &bodies, Places &places,
               const std::function<void()> &checkpoint);

} // namespace skillhost::keyword
