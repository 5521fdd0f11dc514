// SPDX-License-Identifier: Apache-2.0
#include "stand_in_upstream.hpp"

#include "ground/c_table.hpp"
#include "stand_in.hpp"

#include <algorithm>
#include <span>

namespace skillhost::check {
namespace {

template <auto method> using UpstreamFunction = TableFunction<method, SKH_FAILED>;

skh_status failWith(const skh_call *call, skh_status status, std::string_view why) {
  call->fail(call, borrow(why));
  return status;
}

} // namespace

StandInUpstream::StandInUpstream()
    : raw_({sizeof(skh_upstream), 0, borrow("upstream-of-check"),
            &UpstreamFunction<&StandInUpstream::list>::call,
            &UpstreamFunction<&StandInUpstream::changes>::call,
            &UpstreamFunction<&StandInUpstream::read>::call,
            &UpstreamFunction<&StandInUpstream::readEach>::call,
            &UpstreamFunction<&StandInUpstream::facts>::call},
           this) {}

void StandInUpstream::change() { ++version_; }

std::vector<StandInUpstream::Held> StandInUpstream::held() const {
  const std::string version = std::to_string(version_);
  return {{"first", "SKILL.md", "1",
           "---\nname: first\ndescription: The first skill of the check. Ask ada@example.com.\n"
           "---\nText of the first skill.\n",
           true},
          {"first", "references/more.md", version, "More, version " + version + ".\n", false},
          {"second", "SKILL.md", "1",
           "---\nname: second\ndescription: The second skill of the check.\n---\nText.\n", true},
          {"second", "assets/bytes.bin", "1", std::string("\0\x01\xff@\x80", 5), false}};
}

std::string StandInUpstream::snapshot() const { return "snapshot-" + std::to_string(version_); }

skh_status StandInUpstream::begin(const skh_call *call) {
  if (!StandInCall::runs(call)) {
    ++misuses;
    return SKH_INVALID;
  }
  if (call->cancelled(call) != 0) return SKH_CANCELLED;
  return fails ? failWith(call, SKH_UNAVAILABLE, "the upstream is down") : SKH_OK;
}

skh_status StandInUpstream::list(const skh_call *call, const skh_documents *out) {
  if (const skh_status status = begin(call); status != SKH_OK) return status;
  ++listings;
  const std::string named = snapshot();
  for (const Held &one : held()) {
    const skh_document raw{sizeof raw,
                           one.isEntry ? std::uint32_t{SKH_DOC_ENTRY} : 0U,
                           borrow(one.skill),
                           borrow(one.path),
                           borrow(one.revision),
                           one.bytes.size(),
                           {}};
    if (const skh_status status = out->add(out, &raw); status != SKH_OK) return status;
  }
  return out->done(out, borrow(named));
}

skh_status StandInUpstream::changes(const skh_call *call, skh_str since, const skh_documents *out) {
  if (const skh_status status = begin(call); status != SKH_OK) return status;
  ++listings;
  if (view(since) != snapshot())
    return failWith(call, SKH_STALE, "the upstream has not named that snapshot last");
  return out->done(out, since);
}

skh_status StandInUpstream::bytesOf(const skh_document &which, std::string &bytes) {
  skh_status status = SKH_NOT_FOUND;
  for (const Held &one : held()) {
    if (one.skill != view(which.skill) || one.path != view(which.path)) continue;
    if (one.revision == view(which.revision)) {
      bytes = one.bytes;
      return SKH_OK;
    }
    status = SKH_STALE;
  }
  ++failedReads;
  return status;
}

skh_status StandInUpstream::read(const skh_call *call, const skh_document *which,
                                 const skh_bytes *out) {
  if (const skh_status status = begin(call); status != SKH_OK) {
    ++failedReads;
    return status;
  }
  std::string bytes;
  if (const skh_status status = bytesOf(*which, bytes); status != SKH_OK)
    return failWith(call, status, "the upstream has no such document");
  return out->write(out, bytes.data(), bytes.size());
}

skh_status StandInUpstream::readEach(const skh_call *call, const skh_document *const *which,
                                     size_t count, const skh_readings *out) {
  if (const skh_status status = begin(call); status != SKH_OK) {
    ++failedReads;
    return status;
  }
  const std::span all(which, count);
  for (std::size_t i = all.size(); i-- > 0;) { // any order is right
    std::string bytes;
    const skh_status status = bytesOf(*all[i], bytes);
    const skh_str text = borrow(status == SKH_OK ? std::string_view(bytes) : "no such document");
    if (const skh_status taken = out->add(out, i, status, text); taken != SKH_OK) return taken;
  }
  return SKH_OK;
}

skh_status StandInUpstream::facts(const skh_call *call, skh_str snapshot, const skh_bytes *out) {
  if (const skh_status status = begin(call); status != SKH_OK) return status;
  if (view(snapshot) != this->snapshot())
    return failWith(call, SKH_STALE, "the upstream has not named that snapshot last");
  constexpr std::string_view text = R"({"*":{"kind":"folder","path":"."}})";
  return out->write(out, text.data(), text.size());
}

} // namespace skillhost::check
