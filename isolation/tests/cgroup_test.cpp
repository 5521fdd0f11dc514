// SPDX-License-Identifier: Apache-2.0
// Tests which cgroup may be divided. The hierarchy is a folder with files like those of the kernel.
// tests/attacks/plugin_cgroup_test.py tests the kernel's own part.
#include "catch2.hpp"
#include "process/cgroup.hpp"
#include "process/sole.hpp"
#include "running.hpp"
#include "temporary_folder.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

using namespace skillhost;
using namespace skillhost::process;
using running::contains;

namespace {

class CgroupFolder {
public:
  CgroupFolder() { make("service", "cpu memory pids", std::to_string(::getpid())); }

  void make(const std::string &name, const std::string &controllers,
            const std::string &processes) const {
    const std::filesystem::path folder = path(name);
    std::filesystem::create_directories(folder);
    for (const auto &[file, text] : {std::pair<const char *, std::string>{"cgroup.type", "domain"},
                                     {"cgroup.controllers", controllers},
                                     {"cgroup.procs", processes},
                                     {"cgroup.subtree_control", ""}})
      write(name, file, text);
  }
  void write(const std::string &name, const std::string &file, const std::string &text) const {
    std::ofstream(path(name) + "/" + file) << text << '\n';
  }
  void mark(const std::string &name) const {
    if (::setxattr(path(name).c_str(), "user.delegate", "1", 1, 0) != 0)
      WARN("no attributes here: some cases were not tested");
  }
  bool isMarked(const std::string &name) const {
    char value = 0;
    return ::getxattr(path(name).c_str(), "user.delegate", &value, 1) == 1;
  }
  std::string path(const std::string &name) const { return folder_.path() + "/" + name; }
  std::string why(const std::string &name, bool top = false) const {
    const auto found = delegatedCgroup({path(name), top});
    return found ? std::string() : found.failure().message;
  }

private:
  const TemporaryFolder folder_;
};

} // namespace

TEST_CASE("a process finds its cgroup") {
  const std::string mounts =
      "25 1 8:1 / / rw - ext4 /dev/sda rw\n"
      "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n";
  CHECK(cgroupPlace(mounts, "0::/a.slice/b.service\n").folder ==
        "/sys/fs/cgroup/a.slice/b.service");
  CHECK_FALSE(cgroupPlace(mounts, "0::/a\n").top);
  CHECK(cgroupPlace(mounts, "0::/\n").folder == "/sys/fs/cgroup");
  CHECK(cgroupPlace(mounts, "0::/\n").top);
  // The cgroup is mounted beside the older hierarchies, lies outside of the namespace, or does not
  // exist.
  CHECK(cgroupPlace(mounts, "8:pids:/x\n1:name=systemd:/x\n0::/y\n").folder == "/sys/fs/cgroup/y");
  CHECK(cgroupPlace(mounts, "0::/../other\n").folder.empty());
  CHECK(cgroupPlace(mounts, "8:pids:/x\n").folder.empty());
  CHECK(cgroupPlace("25 1 8:1 / / rw - ext4 /dev/sda rw\n", "0::/a\n").folder.empty());
  CHECK(cgroupPlace("", "").folder.empty());
  // Only a part of the hierarchy is mounted, at another place.
  const std::string part = "31 23 0:28 /box /my\\040groups rw - cgroup2 none rw\n";
  CHECK(cgroupPlace(part, "0::/box/a\n").folder == "/my groups/a");
  CHECK(cgroupPlace(part, "0::/box\n").folder == "/my groups");
  CHECK(cgroupPlace(part, "0::/boxes\n").folder.empty());
}

TEST_CASE("a cgroup is divided only where it is delegated") {
  const CgroupFolder tree;
  CHECK(contains(delegatedCgroup({}).failure().message, "no hierarchy of cgroup v2"));
  CHECK(contains(tree.why("absent"), "cannot be opened"));
  // Write access is not enough: root may write every cgroup, and users may write those of their
  // service manager.
  CHECK(contains(tree.why("service"), "service is not delegated to the server"));
  CHECK(tree.why("service", true).empty()); // the top of a container's namespace
  tree.mark("service");
  if (!tree.isMarked("service")) return;
  const auto found = delegatedCgroup({tree.path("service"), false});
  REQUIRE(found);
  CHECK(found->folder == tree.path("service"));
  CHECK_FALSE(found->isDivided);
  // The search changed nothing.
  CHECK(readCgroup(found->opened.number(), "cgroup.subtree_control").empty());
  CHECK_FALSE(std::filesystem::exists(tree.path("service") + "/host"));
}

TEST_CASE("a cgroup that cannot be divided is left alone, and why is said") {
  const CgroupFolder tree;
  tree.make("service", "cpu pids", std::to_string(::getpid()));
  CHECK(contains(tree.why("service", true), "has no controller memory"));
  tree.make("service", "memory", std::to_string(::getpid()));
  CHECK(contains(tree.why("service", true), "has no controller pids"));
  tree.make("service", "memory pids", std::to_string(::getpid()));
  CHECK(tree.why("service", true).empty());
  tree.write("service", "cgroup.type", "domain threaded");
  CHECK(contains(tree.why("service", true), "is domain threaded"));
  std::filesystem::remove(tree.path("service") + "/cgroup.type");
  CHECK(contains(tree.why("service", true), "is the root of all"));
  // A process that started this one, or one that is not visible, does not belong to the server.
  tree.make("service", "memory pids",
            std::to_string(::getpid()) + "\n" + std::to_string(::getppid()));
  CHECK(contains(tree.why("service", true), "has process " + std::to_string(::getppid()) +
                                                " in it, which is not the server's"));
  tree.make("service", "memory pids", "0");
  CHECK(contains(tree.why("service", true), "another namespace"));
  // A process started by this one belongs to the server.
  const pid_t child = ::fork();
  if (child == 0) {
    ::pause();
    ::_exit(0);
  }
  REQUIRE(child > 0);
  tree.make("service", "memory pids", std::to_string(child));
  CHECK(tree.why("service", true).empty());
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST_CASE("a server below the delegated cgroup leaves where it is what is there") {
  const CgroupFolder tree;
  tree.make("service", "memory pids", "");
  tree.make("service/server", "memory pids", std::to_string(::getpid()));
  CHECK(contains(tree.why("service/server"), "server is not delegated"));
  tree.mark("service");
  if (!tree.isMarked("service")) return;
  const auto found = delegatedCgroup({tree.path("service/server"), false});
  REQUIRE(found);
  CHECK(found->folder == tree.path("service"));
  CHECK(found->isDivided);
  // No process may be there, not even one of ours.
  tree.write("service", "cgroup.procs", std::to_string(::getpid()));
  CHECK_FALSE(tree.why("service/server").empty());
}

TEST_CASE("cgroups of servers that are no more are removed, and no others") {
  const CgroupFolder tree;
  tree.mark("service");
  const pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ::waitpid(gone, nullptr, 0);
  const auto leaf = [&](const std::string &name) { return tree.path("service") + "/" + name; };
  const std::vector<std::string> stale{"plugin-" + std::to_string(gone) + "-1",
                                       "plugin-" + std::to_string(::getpid()) + "-7"};
  const std::vector<std::string> kept{"plugin-" + std::to_string(::getppid()) + "-1",
                                      "plugin-x-1",
                                      "plugin-" + std::to_string(gone),
                                      "plugin-" + std::to_string(gone) + "-1x",
                                      "host",
                                      "other"};
  for (const auto *const names : {&stale, &kept})
    for (const std::string &name : *names) REQUIRE(::mkdir(leaf(name).c_str(), 0755) == 0);
  auto delegated = delegatedCgroup({tree.path("service"), true});
  REQUIRE(delegated);
  delegated->isDivided = true; // so that the destructor puts nothing back
  CgroupTree(*std::move(delegated)).removeStale();
  for (const std::string &name : stale) CHECK_FALSE(std::filesystem::exists(leaf(name)));
  for (const std::string &name : kept) CHECK(std::filesystem::exists(leaf(name)));
}

TEST_CASE("where a cgroup cannot be made nothing is left of the attempt") {
  const CgroupFolder tree;
  auto delegated = delegatedCgroup({tree.path("service"), true});
  REQUIRE(delegated);
  // The new folder has no files here, which is like a kernel that refuses.
  const auto divided = CgroupTree::divide(*std::move(delegated));
  REQUIRE_FALSE(divided);
  CHECK(contains(divided.failure().message, "cannot be divided"));
  CHECK_FALSE(std::filesystem::exists(tree.path("service") + "/host"));
  auto again = delegatedCgroup({tree.path("service"), true});
  REQUIRE(again);
  again->isDivided = true;
  auto made = CgroupTree::divide(*std::move(again));
  REQUIRE(made);
  const std::shared_ptr<CgroupTree> whole = *std::move(made);
  CHECK(contains(whole->make({1U << 20U, 16}).failure().message, "memory.max"));
  for (const auto &entry : std::filesystem::directory_iterator(tree.path("service")))
    CHECK_FALSE(entry.is_directory());
}

TEST_CASE("the next tree is made when the last one is put back, not when nobody holds it") {
  std::promise<void> ending, mayEnd;
  struct Tree {
    std::function<void()> end;
    explicit Tree(std::function<void()> atEnd) : end(std::move(atEnd)) {}
    Tree(const Tree &) = delete;
    Tree &operator=(const Tree &) = delete;
    ~Tree() { end(); }
  };
  using Made = Result<std::unique_ptr<Tree>>;
  Sole<Tree> sole;
  CHECK_FALSE(sole.get([] { return Made(Fault::NotImplemented, "none"); }));
  std::atomic<bool> isPutBack{false};
  auto first = sole.get([&] {
    return Made(std::make_unique<Tree>([&] {
      ending.set_value();
      mayEnd.get_future().wait();
      isPutBack = true;
    }));
  });
  REQUIRE(first);
  const auto unneeded = []() -> Made { throw std::logic_error("there is one"); };
  CHECK(*sole.get(unneeded) == *first);
  std::thread last([held = *std::move(first)]() mutable { held.reset(); });
  ending.get_future().wait();
  // Nobody holds the object any more, but its destructor still runs.
  std::promise<void> making;
  bool isMade = false, wasPutBack = false;
  std::thread next([&] {
    const auto second = sole.get([&] {
      making.set_value();
      wasPutBack = isPutBack;
      return Made(std::make_unique<Tree>([] {}));
    });
    isMade = static_cast<bool>(second);
  });
  CHECK(making.get_future().wait_for(std::chrono::milliseconds(100)) ==
        std::future_status::timeout);
  mayEnd.set_value();
  last.join();
  next.join();
  CHECK(isMade);
  CHECK(wasPutBack);
}

TEST_CASE("by whose limit a process was ended is told apart") {
  CHECK(outOfMemory("") == OutOfMemory::No);
  CHECK(outOfMemory("low 0\nhigh 0\nmax 90\noom 3\noom_kill 0\noom_group_kill 0\n") ==
        OutOfMemory::No);
  CHECK(outOfMemory("low 0\nhigh 0\nmax 90\noom 3\noom_kill 1\noom_group_kill 1\n") ==
        OutOfMemory::Own);
  CHECK(outOfMemory("low 0\nhigh 0\nmax 0\noom 0\noom_kill 1\n") == OutOfMemory::Others);
}
