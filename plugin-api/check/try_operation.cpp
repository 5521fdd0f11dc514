// SPDX-License-Identifier: Apache-2.0
#include "try_operation.hpp"

#include "board.hpp"
#include "cases.hpp"
#include "ground/shown.hpp"
#include "library.hpp"
#include "search_calls.hpp"
#include "source_calls.hpp"
#include "trial_file.hpp"

#include <skillhost/facts.h>

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <memory>

namespace skillhost::check {
namespace {

using Clock = StandInCall::Clock;

// Makes one call and prints its status and duration. The caller prints the result. Texts of the
// plugin are printed as single lines that control no terminal, except the bytes of a document.
class Trying {
public:
  Trying(Board &board, Probe &probe, const Trial &trial, std::FILE *out)
      : board_(board), probe_(probe), trial_(trial), out_(out) {}

  bool run() {
    const std::string_view kind = trial_.operation == "query"      ? searchKind
                                  : trial_.operation == "validate" ? authKind
                                                                   : sourceKind;
    checkEntry(probe_);
    for (const skh_plugin *const plugin : knownPlugins(probe_.loadEntry()))
      if (isKind(*plugin, kind)) return runOn(*plugin);
    std::fprintf(stderr, "skillhost: it has no plugin of kind %s\n", std::string(kind).c_str());
    return false;
  }

private:
  bool runOn(const skh_plugin &plugin) {
    StandInHost host(trial_.configuration, board_.data().cacheDirectory.data());
    const Created created = create(probe_, plugin, host);
    Instance instance{plugin, host, created.self};
    bool good = created.status == SKH_OK;
    if (!good)
      std::fprintf(stderr, "create(): %s%s\n", statusName(created.status).c_str(),
                   inBrackets(created.message).c_str());
    else if (trial_.operation == "list")
      good = list(instance);
    else if (trial_.operation == "read")
      good = read(instance);
    else if (trial_.operation == "query")
      good = query(instance);
    else
      good = validate(instance);
    if (created.status == SKH_OK) {
      probe_.step("destroy()");
      plugin.destroy(created.self);
    }
    if (const std::string said = host.shownLines(); !said.empty())
      std::fprintf(stderr, "log:\n%s", said.c_str());
    return good;
  }

  // Runs `call` with the requested deadline and reports its end.
  template <class Body> bool timed(const std::string &what, Body &&body) {
    probe_.step(what);
    const Clock::time_point begun = Clock::now();
    const StandInCall call(begun + trial_.deadline);
    const skh_status status = body(call);
    const double took = std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
    std::fflush(out_);
    std::fprintf(stderr, "%s: %s%s in %.3f ms\n", what.c_str(), statusName(status).c_str(),
                 inBrackets(call.message()).c_str(), took);
    return status == SKH_OK;
  }

  bool list(const Instance &instance) {
    DocumentSink sink;
    const bool good = timed("list()", [&](const StandInCall &call) {
      return instance.operations<skh_source>().list(instance.self, call.raw(), sink.raw());
    });
    for (const ListedDocument &one : sink.documents) {
      const bool known = one.length != UINT64_MAX;
      std::fprintf(out_, "%s  revision %s  %s%s%s\n", nameOf(one).c_str(),
                   shownLine(one.revision).c_str(),
                   known ? (std::to_string(one.length) + " bytes").c_str() : "length unknown",
                   (one.flags & SKH_DOC_ENTRY) != 0 ? "  entry" : "",
                   (one.flags & SKH_DOC_EXECUTABLE) != 0 ? "  executable" : "");
      if (!one.location.empty()) std::fprintf(out_, "    %s\n", shownLine(one.location).c_str());
    }
    std::fprintf(out_, "%zu documents, snapshot %s%s\n", sink.documents.size(),
                 sink.endings == 0 ? "never named" : shownLine(sink.snapshot).c_str(),
                 sink.endings > 1 ? ", named more than once" : "");
    return good && facts(instance, sink.snapshot);
  }

  // Prints the facts of the source's skills, if it states any.
  bool facts(const Instance &instance, const std::string &snapshot) {
    const skh_plugin &plugin = instance.plugin;
    if (!SKH_HAS(&plugin, extension) || plugin.extension == nullptr) return true;
    const auto *const table =
        static_cast<const skh_facts *>(plugin.extension(instance.self, SKH_FACTS));
    const bool isTable = SKH_IS_FACTS(table);
    if (!isTable) return true;
    ByteSink said(maxDocumentBytes);
    const bool good = timed("facts()", [&](const StandInCall &call) {
      return table->facts(instance.self, call.raw(), borrow(snapshot), said.raw());
    });
    std::fprintf(out_, "facts %s\n", shownLine(said.bytes).c_str());
    return good;
  }

  // Uses the revision from list(). A document that is not listed is requested all the same, without
  // a revision.
  bool read(const Instance &instance) {
    ListedDocument wanted;
    wanted.skill = trial_.arguments.at(0);
    wanted.path = trial_.arguments.at(1);
    DocumentSink all;
    const bool listed = timed("list()", [&](const StandInCall &call) {
      return instance.operations<skh_source>().list(instance.self, call.raw(), all.raw());
    });
    if (!listed) return false;
    for (const ListedDocument &one : all.documents)
      if (one.skill == wanted.skill && one.path == wanted.path) wanted = one;
    if (wanted.revision.empty()) std::fprintf(stderr, "it is not listed\n");
    ByteSink sink(maxDocumentBytes);
    const bool good = timed("read() of " + nameOf(wanted), [&](const StandInCall &call) {
      return readInto(instance, wanted, call, sink);
    });
    std::fwrite(sink.bytes.data(), 1, sink.bytes.size(), out_);
    std::fprintf(stderr, "%zu bytes\n", sink.bytes.size());
    return good;
  }

  bool query(const Instance &instance) {
    for (const TrialEntry &one : trial_.entries)
      putEntry(probe_, instance, {one.id, one.name, one.description, one.body, "{}"});
    commitIndex(probe_, instance, "try");
    std::string words;
    for (const std::string &one : trial_.arguments) words += (words.empty() ? "" : " ") + one;
    const HitSink sink;
    const bool good = timed("query()", [&](const StandInCall &call) {
      return instance.operations<skh_search>().query(instance.self, call.raw(), borrow(words), {},
                                                     10, sink.raw());
    });
    for (const FoundHit &hit : sink.hits)
      std::fprintf(out_, "%8.4f  %s\n%s%s%s", hit.score, shownLine(hit.id).c_str(),
                   hit.snippet.empty() ? "" : "          ", shownLine(hit.snippet).c_str(),
                   hit.snippet.empty() ? "" : "\n");
    std::fprintf(out_, "%zu hits in %zu entries\n", sink.hits.size(), trial_.entries.size());
    return good;
  }

  bool validate(const Instance &instance) {
    const Placed<skh_credential> credential({sizeof(skh_credential), 0, borrow("bearer"),
                                             borrow(trial_.arguments.at(0)),
                                             borrow(trial_.resource), borrow("127.0.0.1:0")},
                                            nullptr);
    const PrincipalSink sink;
    const bool good = timed("validate()", [&](const StandInCall &call) {
      return instance.operations<skh_auth>().validate(instance.self, call.raw(), credential.get(),
                                                      sink.raw());
    });
    if (!sink.fault.empty()) {
      std::fprintf(stderr, "a host refuses this answer: the plugin %s\n",
                   std::string(sink.fault).c_str());
      return false;
    }
    for (const AcceptedPrincipal &one : sink.accepted) print(one);
    if (good && sink.accepted.size() != 1)
      std::fprintf(stderr, "%zu principals accepted: exactly one has to be\n",
                   sink.accepted.size());
    return good && sink.accepted.size() == 1;
  }

  void print(const AcceptedPrincipal &one) const {
    std::fprintf(out_, "subject  %s\nissuer   %s\nscopes  ", shownLine(one.subject).c_str(),
                 shownLine(one.issuer).c_str());
    for (const std::string &scope : one.scopes) std::fprintf(out_, " %s", shownLine(scope).c_str());
    std::fprintf(out_, "\nclaims   %s\nexpires  %" PRId64 "\ncached   %" PRIu32 " s\n",
                 one.claims.empty() ? "{}" : shownLine(one.claims).c_str(), one.expiresAt,
                 one.cacheSeconds);
  }

  Board &board_;
  Probe &probe_;
  const Trial &trial_;
  std::FILE *const out_;
};

} // namespace

int tryOperation(const Bounds &bounds, Confine confine, int board, int trial, int output,
                 int reportDescriptor) {
  static Board shared(board);
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> out(::fdopen(output, "w"), &std::fclose);
  if (!out) return 1;
  try {
    const Trial wanted = readTrial(trial);
    Probe probe(shared, wanted.plugin);
    confineProcess(bounds, confine, wanted.plugin, wanted.configuration, probe.cacheDirectory(),
                   reportDescriptor);
    const bool good = Trying(shared, probe, wanted, out.get()).run();
    shared.data().reported = 1;
    return good ? 0 : 1;
  } catch (const Ending &early) {
    std::fprintf(stderr, "%s\n", shownLine(early.found).c_str());
    if (!early.advice.empty()) std::fprintf(stderr, "→ %s\n", shownLine(early.advice).c_str());
  } catch (const std::exception &why) {
    std::fprintf(stderr, "skillhost: %s\n", shownLine(why.what()).c_str());
  }
  shared.data().reported = 1;
  return 1;
}

} // namespace skillhost::check
