// SPDX-License-Identifier: Apache-2.0
#include "process/cgroup.hpp"

#include "base/log.hpp"
#include "process/sole.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace skillhost::process {
namespace {

constexpr const char *hostName = "host";
// Followed by the server's process id and the number of the leaf.
constexpr std::string_view leafStart = "plugin-";
// Rounds of moving processes that were started meanwhile.
constexpr int maxRounds = 16;

std::string errnoText() { return std::generic_category().message(errno); }

Descriptor openCgroupIn(int folder, const std::string &name) {
  return Descriptor(
      ::openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
}

// Returns the server that made the leaf; nothing if the name is not that of a leaf.
std::optional<pid_t> makerOf(std::string_view name) {
  if (!name.starts_with(leafStart)) return std::nullopt;
  name.remove_prefix(leafStart.size());
  pid_t process = 0;
  std::uint64_t count = 0;
  const auto [dash, wrong] = std::from_chars(name.data(), name.data() + name.size(), process);
  if (wrong != std::errc{} || dash == name.data() + name.size() || *dash != '-')
    return std::nullopt;
  const auto end = std::from_chars(dash + 1, name.data() + name.size(), count);
  if (end.ec != std::errc{} || end.ptr != name.data() + name.size()) return std::nullopt;
  return process;
}

std::string megabytesOf(std::uint64_t bytes) { return std::to_string(bytes >> 20U) + " MB"; }

} // namespace

OutOfMemory outOfMemory(const std::string &events) {
  std::istringstream words(events);
  std::uint64_t reached = 0, killed = 0, value = 0;
  for (std::string name; words >> name >> value;) {
    if (name == "oom") reached = value;
    if (name == "oom_kill") killed = value;
  }
  if (killed == 0) return OutOfMemory::No;
  return reached != 0 ? OutOfMemory::Own : OutOfMemory::Others;
}

Cgroup::~Cgroup() {
  if (!tree_->remove(name_))
    log::debug("plugin",
               "cgroup " + tree_->folder() + "/" + name_ + " could not be removed: " + errnoText());
}

std::string Cgroup::whyEnded() const {
  switch (outOfMemory(readCgroup(folder_.number(), "memory.events"))) {
  case OutOfMemory::Own:
    return "over its memory limit of " + megabytesOf(limits_.memoryBytes);
  case OutOfMemory::Others:
    return "the machine or the cgroup " + tree_->folder() +
           " ran out of memory before the plugin reached its own limit";
  case OutOfMemory::No:
    break;
  }
  return {};
}

std::string Cgroup::text() const {
  return limits_.memoryBytes == 0
             ? "a cgroup"
             : "a cgroup with " + megabytesOf(limits_.memoryBytes) + " of memory";
}

Result<std::shared_ptr<CgroupTree>> CgroupTree::ofThisProcess() {
  // Only one tree may exist. Otherwise a tree being put back would take the controllers of one
  // being divided.
  static Sole<CgroupTree> sole;
  static std::atomic<bool> isLogged{false};
  return sole.get([]() -> Result<std::unique_ptr<CgroupTree>> {
    Result<DelegatedCgroup> delegated = delegatedCgroup(ownCgroupPlace());
    Result<std::unique_ptr<CgroupTree>> made =
        delegated ? divide(*std::move(delegated))
                  : Result<std::unique_ptr<CgroupTree>>(delegated.failure());
    if (!isLogged.exchange(true))
      log::debug("plugin",
                 made ? "processes of plugins have cgroups of their own in " + (*made)->folder()
                      : "processes of plugins have no cgroups of their own: " +
                            made.failure().message);
    return made;
  });
}

Result<std::unique_ptr<CgroupTree>> CgroupTree::divide(DelegatedCgroup delegated) {
  auto tree = std::make_unique<CgroupTree>(std::move(delegated));
  tree->removeStale();
  if (tree->giveControllers()) return tree;
  return {Fault::NotImplemented,
          "cgroup " + tree->folder() + " cannot be divided: " + errnoText()}; // it is unchanged
}

bool CgroupTree::giveControllers() {
  const int own = delegated_.opened.number();
  if (!delegated_.isDivided) {
    if (::mkdirat(own, hostName, 0755) != 0 && errno != EEXIST) return false;
    const Descriptor host = openCgroupIn(own, hostName);
    if (!host || !writeCgroup(host.number(), "cgroup.procs", std::to_string(::getpid())))
      return false;
    moveAll(own, host.number());
  }
  return writeCgroup(own, "cgroup.subtree_control", "+memory +pids");
}

// A moved process may have started others meanwhile, so this repeats until nothing moves.
void CgroupTree::moveAll(int from, int to) const {
  for (int round = 0; round < maxRounds; ++round) {
    bool moved = false;
    for (const pid_t process : processesOf(from))
      if (isOurs(process))
        moved = writeCgroup(to, "cgroup.procs", std::to_string(process)) || moved;
    if (!moved) return;
  }
}

CgroupTree::~CgroupTree() {
  const int own = delegated_.opened.number();
  if (delegated_.isDivided) return;
  writeCgroup(own, "cgroup.subtree_control", "-memory -pids");
  if (const Descriptor host = openCgroupIn(own, hostName)) {
    writeCgroup(own, "cgroup.procs", std::to_string(::getpid()));
    moveAll(host.number(), own);
  }
  if (!remove(hostName))
    log::debug("plugin",
               "cgroup " + folder() + "/" + hostName + " could not be removed: " + errnoText());
}

Result<std::unique_ptr<Cgroup>> CgroupTree::make(const CgroupLimits &limits) {
  const int own = delegated_.opened.number();
  const std::string name =
      std::string(leafStart) + std::to_string(::getpid()) + "-" + std::to_string(++count_);
  const auto refused = [&](const std::string &what) -> Failure {
    return {Fault::Unavailable, what + ": " + errnoText()};
  };
  if (::mkdirat(own, name.c_str(), 0755) != 0) return refused("cgroup " + folder() + "/" + name);
  Descriptor opened = openCgroupIn(own, name);
  const int leaf = opened.number();
  auto made = std::make_unique<Cgroup>(shared_from_this(), name, std::move(opened), limits);
  const std::string bytes = limits.memoryBytes == 0 ? "max" : std::to_string(limits.memoryBytes);
  if (!writeCgroup(leaf, "memory.max", bytes)) return refused("memory.max");
  if (!writeCgroup(leaf, "pids.max", std::to_string(limits.threads))) return refused("pids.max");
  // Without this limit the process could use as much swap in addition to its memory. The file is
  // missing if the kernel has no swap. If memory.oom.group is missing, nothing is lost: all threads
  // of a process end together anyway.
  if (limits.memoryBytes != 0 && !writeCgroup(leaf, "memory.swap.max", "0") && errno != ENOENT)
    return refused("memory.swap.max");
  if (!writeCgroup(leaf, "memory.oom.group", "1") && errno != ENOENT)
    return refused("memory.oom.group");
  return made;
}

bool CgroupTree::remove(const std::string &name) const {
  return ::unlinkat(delegated_.opened.number(), name.c_str(), AT_REMOVEDIR) == 0;
}

void CgroupTree::removeStale() const {
  const std::unique_ptr<DIR, int (*)(DIR *)> entries(::opendir(folder().c_str()), &::closedir);
  std::vector<std::string> stale;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): a stream of its own
  while (const dirent *entry = entries ? ::readdir(entries.get()) : nullptr) {
    const std::string name = static_cast<const char *>(entry->d_name);
    const std::optional<pid_t> maker = makerOf(name);
    // This process has not made a leaf yet, so a leaf with its process id comes from an earlier
    // process.
    if (maker && (*maker == ::getpid() || (::kill(*maker, 0) != 0 && errno == ESRCH)))
      stale.push_back(name);
  }
  for (const std::string &name : stale)
    if (remove(name))
      log::debug("plugin", "cgroup " + folder() + "/" + name + " removed: its server is gone");
}

} // namespace skillhost::process
