// SPDX-License-Identifier: Apache-2.0
#include "process_state.hpp"

#include "ground/deadline.hpp"
#include "process.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
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
  // Both members of the union have the same address, so one of them suffices.
  return ::sigaction(number, nullptr, &action) == 0
             ? reinterpret_cast<std::uintptr_t>(action.sa_handler)
             : 0;
}

// The kernel's files about this process, opened before it is confined.
struct ProcessFiles {
  int stat = ::open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  int memory = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
};
const ProcessFiles &processFiles() {
  static const ProcessFiles files;
  return files;
}

// Returns the present content; empty if a plugin has closed a descriptor of others.
std::string textOf(int descriptor) {
  std::array<char, 1024> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

// Reads the 20th field of /proc/self/stat. The second field may contain anything but ends with the
// last bracket.
std::size_t threadsIn(const std::string &stat) {
  const std::size_t name = stat.rfind(')');
  if (name == std::string::npos) return 0;
  std::istringstream fields(stat.substr(name + 1));
  std::string field;
  for (int number = 3; number < 20; ++number) fields >> field;
  std::size_t threads = 0;
  fields >> threads;
  return threads;
}

// Tries every possible number, because a confined process cannot list its descriptors.
std::set<int> openDescriptors() {
  constexpr rlim_t most = 65'536;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  std::vector<pollfd> all(static_cast<std::size_t>(std::min(limit.rlim_cur, most)));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {static_cast<int>(i), 0, 0};
  std::set<int> open;
  if (::poll(all.data(), all.size(), 0) < 0) return open;
  for (const pollfd &one : all)
    if ((one.revents & POLLNVAL) == 0) open.insert(one.fd);
  return open;
}

void add(std::string &list, const std::string &what) { list += (list.empty() ? "" : ", ") + what; }

std::string counted(std::size_t count, const std::string &what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : what.ends_with('s') ? "es" : "s");
}

} // namespace

void openProcessFiles() { static_cast<void>(processFiles()); }

ProcessState ProcessState::now() {
  ProcessState state;
  state.threads = threadsIn(textOf(processFiles().stat));
  // A confined process cannot read this and has no children.
  eachEntry("/proc/self/task", [&](const fs::path &task) {
    std::ifstream file(task / "children");
    for (int child = 0; file >> child;) state.children.insert(child);
  });
  state.descriptors = openDescriptors();
  std::size_t pages = 0;
  std::istringstream(textOf(processFiles().memory)) >> pages >> pages;
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

std::string addedDescriptors(const ProcessState &before, const ProcessState &after) {
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
