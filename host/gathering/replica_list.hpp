// SPDX-License-Identifier: Apache-2.0
// Which replicas there are that record use: a list in the engine, and a value for each, which ends
// when its replica does not renew it. The value is the id of the file that the replica writes.
#pragma once

#include "ground/guarded.hpp"
#include "state/shared_state.hpp"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace skillhost {

// Any thread.
class ReplicaList : public std::enable_shared_from_this<ReplicaList> {
public:
  using Span = SharedState::Span;
  using Ids = std::set<std::string>;

  ReplicaList(std::shared_ptr<SharedState> state, Span absence)
      : state_(std::move(state)), absence_(absence) {}

  // This replica is there, with that file, for as long as `absence`.
  void renew(const std::string &file);
  // It is there no more, whatever comes after. Waits for the engine to know it, for a second or
  // two; not on a thread of the executor.
  void leave();

  // What is known of the others. `problem` is why it is not known who is there; then they are those
  // of the last time.
  struct Known {
    std::map<std::string, std::string> files; // of each
    std::string problem;
  };
  // On a thread of the executor, or on the caller's own.
  void read(std::function<void(Known)> answer);
  Known lastKnown(std::string problem) const;

private:
  struct Reading;
  void join(int attempts);
  void makeRoom();
  void takeOff(int attempts, const std::function<void()> &then);
  void note(const Ids &ids);
  void look(const std::shared_ptr<Reading> &reading, const std::string &text);
  void finish(const std::shared_ptr<Reading> &reading);

  const std::shared_ptr<SharedState> state_;
  const Span absence_;
  Guarded<bool> left_{false};
  Guarded<std::map<std::string, std::string>> last_;
};

} // namespace skillhost
