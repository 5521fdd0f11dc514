// SPDX-License-Identifier: Apache-2.0
#include "process_state.hpp"

#include "base/deadline.hpp"
#include "process.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

namespace skillhost::check {
namespace {

namespace fs = std::filesystem;

template <class Visitor> void eachEntry(const char *folder, Visitor &&visit) {
  std::error_code error;
  for (fs::directory_iterator entries(folder, error), end; !error && entries != end;
       entries.increment(error))
    visit(entries->path());
}

std::uintptr_t handlerOf(int number) {
  struct sigaction action{};
  // One member of a union, whichever is in use.
  return ::sigaction(number, nullptr, &action) == 0
             ? reinterpret_cast<std::uintptr_t>(action.sa_handler)
             : 0;
}

void add(std::string &list, const std::string &what) { list += (list.empty() ? "" : ", ") + what; }

std::string counted(std::size_t count, const std::string &what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : what.ends_with('s') ? "es" : "s");
}

} // namespace

ProcessState ProcessState::now() {
  ProcessState state;
  eachEntry("/proc/self/task", [&](const fs::path &task) {
    ++state.threads;
    std::ifstream file(task / "children");
    for (int child = 0; file >> child;) state.children.insert(child);
  });
  eachEntry("/proc/self/fd", [&](const fs::path &descriptor) {
    state.descriptors.insert(std::atoi(descriptor.filename().c_str()));
  });
  // The look itself had one open, which is gone by now.
  for (auto it = state.descriptors.begin(); it != state.descriptors.end();) {
    std::error_code gone;
    const fs::path target = fs::read_symlink("/proc/self/fd/" + std::to_string(*it), gone);
    it = target.empty() ? state.descriptors.erase(it) : std::next(it);
  }
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  state.residentBytes = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  for (int number = 0; number < NSIG; ++number) state.handlers.push_back(handlerOf(number));
  return state;
}

std::string differences(const ProcessState &before, const ProcessState &after) {
  std::string found;
  if (after.threads > before.threads)
    add(found, counted(after.threads - before.threads, "thread") + " still running");
  std::string closed;
  for (const int one : before.descriptors)
    if (!after.descriptors.contains(one)) add(closed, std::to_string(one));
  if (!closed.empty()) add(found, "closed descriptors that are not its own: " + closed);
  std::string taken;
  for (std::size_t number = 1; number < before.handlers.size(); ++number)
    if (before.handlers[number] != after.handlers[number])
      add(taken, signalName(static_cast<int>(number)));
  if (!taken.empty()) add(found, "changed signal handlers: " + taken);
  if (after.children.size() > before.children.size())
    add(found,
        counted(after.children.size() - before.children.size(), "child process") + " left behind");
  return found;
}

std::string descriptorsMore(const ProcessState &before, const ProcessState &after) {
  if (after.descriptors.size() <= before.descriptors.size()) return {};
  return counted(after.descriptors.size() - before.descriptors.size(), "descriptor") + " more";
}

ProcessState settledState(std::size_t threads) {
  const Deadline end = Deadline::after(std::chrono::milliseconds(500));
  ProcessState state = ProcessState::now();
  while (state.threads > threads && !end.passed()) {
    ::sched_yield();
    state = ProcessState::now();
  }
  return state;
}

bool freedMemoryIsKept() { return ::dlsym(RTLD_DEFAULT, "__asan_init") != nullptr; }

void endChildren(const ProcessState &state) {
  for (const int child : state.children) ::kill(child, SIGKILL);
}

} // namespace skillhost::check
