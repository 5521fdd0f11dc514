// SPDX-License-Identifier: Apache-2.0
// A source that one replica asks for all: whoever holds its lease puts down what the source has in
// a folder that all of them have, and all serve it from there.
#pragma once

#include "plugin/source.hpp"
#include "sharing/source_sharing.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace skillhost {

struct SharedSourceSettings {
  std::string name;   // the source's
  std::string folder; // on a file system that all replicas have
  // Of all that decides what the source has: replicas with another one,
  // such as those of the configuration before, share nothing with this one.
  std::string mark;
  std::chrono::milliseconds lease{10'000}; // after so long another one asks in place of a dead one
  std::chrono::milliseconds look{30'000};  // between looks into the folder, where nothing is told
  std::chrono::milliseconds deadline{120'000}; // of what nobody waits for
  std::chrono::milliseconds rest{30'000}; // of who cannot ask, before it wants to be the one again
};

// The plugin's instance is made only where it is asked, for many of them ask their remote on their
// own; and it ends where another replica asks from then on.
//
// Who leads. The holder of the lease "source/<name>-<mark>". While the engine is away nobody can
// become the holder, so who held it last goes on, until the engine is back for as long as the lease
// holds and somebody else has it. Where there is nothing to serve and no engine, each replica asks.
// Two that ask at once do no harm: each writes whole manifests, and the one with the higher number
// stands.
//
// What is served. The newest manifest that the folder has; at the start too, before whoever leads
// has heard from its source. A replica that does not lead and is asked for a whole list, such as by
// a hook, tells who does, and hears of what came of it. That the source fails is told as well, so
// that all replicas say of it that it may be out of date.
//
// Bytes that are not those that were listed are never served: who leads fetches them anew, the
// others have them fetched and answer Unavailable until then.
class SharedSource final : public Source {
public:
  // Makes the plugin's instance; on a thread of this object, and may take its time.
  using Make = std::function<Result<std::shared_ptr<Source>>()>;

  SharedSource(std::shared_ptr<SourceSharing> sharing, SharedSourceSettings settings, Make make);
  ~SharedSource() override; // stop()
  SharedSource(const SharedSource &) = delete;
  SharedSource &operator=(const SharedSource &) = delete;

  const std::string &name() const noexcept override;
  // And takes part from now on.
  void onChanged(std::function<void()> listener) override;
  void stop() override;
  bool tellsOthers() const noexcept override { return true; }
  void list(CallOptions options, Answer<Snapshot> answer) override;
  void changes(CallOptions options, std::string since, Answer<Changes> answer) override;
  void read(CallOptions options, Document document, std::size_t limit,
            Answer<std::string> answer) override;
  void readEach(CallOptions options, std::vector<Document> documents, std::size_t limit, Each each,
                std::function<void()> done) override;

  bool leads() const noexcept; // is it this one that asks?

private:
  class Implementation;
  const std::shared_ptr<Implementation> implementation_;
};

} // namespace skillhost
