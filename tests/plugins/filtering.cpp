// SPDX-License-Identifier: Apache-2.0
// A filter that behaves as its configuration says, right or wrong. Every key is optional; the file
// that "file" names has the same keys and is read at every call.
//   mark    text at the end of every revision and snapshot, default "~"
//   drop    a list of skills that are left out
//   shout   true: what is read becomes upper case, except for the front matter
//   own     text of a skill "own" that the upstream does not have
//   open    a path without its first slash: a skill "open" has the revision "ok" or "refused"
//   lengths true: the lengths of the upstream are listed, even if "longer" adds a byte
//   longer  true: a byte is added to what is read
//   history false: changes() always returns SKH_STALE
//   do      what it does in list(), see list() below
//   read    what it does in read(): "abort" or a status
#include "status_names.hpp"

#include <skillhost/config.hpp>
#include <skillhost/facts.hpp>
#include <skillhost/health.h>
#include <skillhost/upstream.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

using nlohmann::json;

class Filtering final : public skh::Source, public skh::Facts {
public:
  Filtering(skh::Host host, const skh::Call &call)
      : host_(host), config_(host), raw_(host.extension<skh_upstream>(SKH_UPSTREAM)),
        upstream_(host) {
    if (now().value("do", "") == "list_in_create")
      upstream_.list(call, [](const skh::Document &) {});
    if (now().value("do", "") == "refuse") throw skh::Error(SKH_INVALID, "mark: not this one");
  }
  ~Filtering() override {
    isEnding_ = true;
    if (late_.joinable()) late_.join();
  }

  void list(const skh::Call &call, const skh::Documents &out) override {
    const json script = now();
    const std::string what = script.value("do", "");
    if (what == "abort") std::abort();
    if (what == "throw") throw std::runtime_error("the filter throws");
    if (what == "hang")
      for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
    if (what == "await_cancel")
      for (;; std::this_thread::sleep_for(std::chrono::milliseconds(1))) call.point();
    if (const auto status = statusNamed(what)) throw skh::Error(*status, "the filter fails");
    if (what == "copied_call") {
      const skh_call copy = *call.raw();
      upstream_.list(skh::Call(&copy), [](const skh::Document &) {});
    }
    if (what == "unlisted") {
      upstream_.list(call, [](const skh::Document &) {});
      upstream_.read(call, {"../../etc", "passwd", "1"});
    }
    if (what == "unlisted_yet") upstream_.read(call, {"a", "SKILL.md", "1"});
    if (what == "other_facts") upstream_.facts(call, "another snapshot");
    if (what == "read_all") return readAll(script, call, out);
    if (what == "after_end") callLate(call);
    std::string snapshot;
    const auto take = [&](const skh::Document &one) {
      if (what == "within_sink") readWithin(call, one);
      if (isServed(script, one)) add(script, one, out);
    };
    if (what == "other_thread") {
      std::exception_ptr thrown;
      std::thread([&] {
        try {
          snapshot = upstream_.list(call, take);
        } catch (...) {
          thrown = std::current_exception();
        }
      }).join();
      if (thrown) std::rethrow_exception(thrown);
    } else {
      snapshot = upstream_.list(call, take);
    }
    addOwn(script, out);
    if (script.contains("open")) {
      std::ifstream file("/" + script["open"].get<std::string>());
      out.add({"open", "SKILL.md", file ? "ok" : "refused", UINT64_MAX, SKH_DOC_ENTRY, {}});
    }
    out.done(snapshot + mark(script));
  }

  void changes(const skh::Call &call, std::string_view since, const skh::Documents &out) override {
    const json script = now();
    if (!script.value("history", true)) throw skh::Error(SKH_STALE, "no history");
    const std::string end = mark(script);
    if (!since.ends_with(end)) throw skh::Error(SKH_STALE, "other rules");
    since.remove_suffix(end.size());
    out.done(upstream_.changes(call, since, [&](const skh::Document &one) {
      if (isServed(script, one)) add(script, one, out);
    }) + end);
  }

  void read(const skh::Call &call, const skh::Document &which, const skh::Bytes &out) override {
    const json script = now();
    const std::string what = script.value("read", "");
    if (what == "abort") std::abort();
    if (const auto status = statusNamed(what)) throw skh::Error(*status, "the filter fails");
    if (which.skill == "own") return out.write(script.value("own", ""));
    const std::string end = mark(script);
    if (!which.revision.ends_with(end)) throw skh::Error(SKH_STALE, "other rules");
    skh::Document inner = which;
    inner.revision.remove_suffix(end.size());
    std::string text = upstream_.read(call, inner);
    if (script.value("shout", false)) {
      const std::size_t front = text.starts_with("---\n") ? text.find("\n---\n", 3) : 0;
      std::transform(text.begin() + static_cast<std::ptrdiff_t>(front), text.end(),
                     text.begin() + static_cast<std::ptrdiff_t>(front),
                     [](unsigned char c) { return c < 128 ? std::toupper(c) : c; });
    }
    if (script.value("longer", false)) text += '!';
    out.write(text);
  }

  std::string facts(const skh::Call &call, std::string_view snapshot) override {
    snapshot.remove_suffix(mark(now()).size());
    return upstream_.facts(call, snapshot);
  }

private:
  json now() const {
    json script = config_.json();
    if (!script.contains("file")) return script;
    std::ifstream file(script["file"].get<std::string>());
    const json more = json::parse(file, nullptr, false);
    if (more.is_object()) script.update(more);
    return script;
  }
  static std::string mark(const json &script) { return script.value("mark", "~"); }
  static bool isServed(const json &script, const skh::Document &one) {
    const json dropped = script.value("drop", json::array());
    return std::find(dropped.begin(), dropped.end(), one.skill) == dropped.end();
  }
  static void add(const json &script, skh::Document one, const skh::Documents &out) {
    const std::string revision = std::string(one.revision) + mark(script);
    if ((one.flags & SKH_DOC_REMOVED) == 0) one.revision = revision;
    if (!script.value("lengths", false)) one.length = UINT64_MAX;
    out.add(one);
  }
  static void addOwn(const json &script, const skh::Documents &out) {
    if (script.contains("own"))
      out.add({"own", "SKILL.md", "1" + mark(script), UINT64_MAX, SKH_DOC_ENTRY, {}});
  }
  // Calls the upstream again while it delivers its list.
  void readWithin(const skh::Call &call, const skh::Document &one) const {
    if (upstream_.read(call, one).size() != one.length)
      throw skh::Error(SKH_CORRUPT, "another length");
    upstream_.list(call, [](const skh::Document &) {});
  }
  // Lists each document with what reading it gives: its text, or "-5: reason".
  void readAll(const json &script, const skh::Call &call, const skh::Documents &out) const {
    std::vector<std::array<std::string, 3>> places;
    const std::string snapshot = upstream_.list(call, [&](const skh::Document &one) {
      places.push_back({std::string(one.skill), std::string(one.path), std::string(one.revision)});
    });
    places.push_back({"absent", "SKILL.md", "1"});
    const auto first = places.front();
    places.push_back({first[0], first[1], "other"});
    const std::string tooLong(20'000, 'x');
    places.push_back({tooLong, "SKILL.md", "1"});
    places.push_back({first[0], first[1], tooLong});
    std::vector<skh::Document> which;
    for (const auto &place : places) which.push_back({place[0], place[1], place[2]});
    std::vector<std::string> found(places.size(), "nothing");
    upstream_.readEach(call, which, [&](std::size_t i, skh_status status, std::string_view bytes) {
      found[i] = status == SKH_OK ? std::string(bytes.substr(0, 100))
                                  : std::to_string(status) + ": " + std::string(bytes);
    });
    for (std::size_t i = 0; i < places.size(); ++i)
      out.add({"read" + std::to_string(i), "SKILL.md", found[i], UINT64_MAX, SKH_DOC_ENTRY, {}});
    out.done(snapshot + mark(script));
  }
  // Calls the upstream with a call that has ended, and reports the status as its health.
  void callLate(const skh::Call &call) {
    if (late_.joinable()) return;
    late_ = std::thread([this, ended = call.raw()] {
      constexpr skh_bytes nowhere{
          sizeof(skh_bytes), 0,
          [](const skh_bytes *, const void *, size_t) noexcept -> skh_status { return SKH_OK; }};
      const auto *const health = host_.extension<skh_health>(SKH_HEALTH);
      // Until then the call runs, and there is no such snapshot.
      skh_status status = SKH_STALE;
      while (!isEnding_ && status == SKH_STALE) {
        status = raw_->facts(raw_, ended, skh::borrow("none"), &nowhere);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      const std::string text = "late: " + std::to_string(status);
      health->tell(health, SKH_DEGRADED, skh::borrow(text));
    });
  }

  skh::Host host_;
  skh::Config config_;
  const skh_upstream *raw_;
  skh::Upstream upstream_;
  std::atomic<bool> isEnding_{false};
  std::thread late_;
};

} // namespace

SKH_PLUGIN(skh::withExtensions<skh::FactsOps<Filtering>>(skh::source<Filtering>(
    "test.filtering", "1.0.0", "Filters as the test says", R"({"type": "object"})")));
