// SPDX-License-Identifier: Apache-2.0
#include "probe.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace probe {
namespace {

// Returns the outcome, and closes the descriptor.
std::string opened(int descriptor) {
  std::string how = outcome(descriptor);
  if (descriptor >= 0) ::close(descriptor);
  return how;
}

std::string readable(const std::string &path) {
  return opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

// Makes a program in the cache that runs as this user, whoever starts it.
std::string makeSetUserId(const std::string &path) {
  ::unlink(path.c_str());
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 04755);
  std::string how = opened(file);
  struct stat info{};
  if (file >= 0 && ::stat(path.c_str(), &info) == 0 && (info.st_mode & S_ISUID) == 0)
    how = "made without the bit";
  return how;
}

std::string chmodToSetUserId(const std::string &path) {
  ::unlink(path.c_str());
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
  if (file < 0) return "cannot be made: " + outcome(file);
  std::string how = outcome(::fchmod(file, 04755));
  ::close(file);
  return how;
}

// Sends a line to a datagram socket, such as that of a system's log.
std::string sendThroughPair(int kind, const std::string &path) {
  std::array<int, 2> pair{};
  if (const int made = ::socketpair(AF_UNIX, kind | SOCK_CLOEXEC, 0, pair.data()); made != 0)
    return outcome(made);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(static_cast<char *>(address.sun_path), sizeof address.sun_path - 1);
  std::string how = outcome(::sendto(pair[0], "forged", 6, 0,
                                     reinterpret_cast<const sockaddr *>(&address), sizeof address));
  ::close(pair[0]);
  ::close(pair[1]);
  return how;
}

std::string makeAndRemove(int made, int (*remove)(int)) {
  std::string how = outcome(made);
  if (made >= 0) remove(made);
  return how;
}

std::string watch(const std::string &folder) {
  const int descriptor = ::inotify_init1(IN_CLOEXEC);
  if (descriptor < 0) return outcome(descriptor);
  std::string how = outcome(::inotify_add_watch(descriptor, folder.c_str(), IN_ACCESS));
  ::close(descriptor);
  return how;
}

std::string notify(const std::string &folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return outcome(descriptor);
  std::string how = outcome(::fcntl(descriptor, F_NOTIFY, DN_ACCESS));
  ::close(descriptor);
  return how;
}

std::string sameHostName() {
  utsname names{};
  ::uname(&names);
  const char *name = static_cast<const char *>(names.nodename);
  return outcome(::sethostname(name, std::strlen(name)));
}

std::string node(const std::string &path, mode_t mode, dev_t device) {
  ::unlink(path.c_str());
  std::string how = outcome(::mknod(path.c_str(), mode, device));
  ::unlink(path.c_str());
  return how;
}

std::string hex(std::uint64_t value) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(value));
  return text.data();
}

} // namespace

std::vector<Attempt> attacks(const Places &places) {
  const std::string key = places.folder + "/key";
  const std::array<timespec, 2> longAgo{};
  const timespec noTime{0, -1};
  constexpr int whoProcess = 1; // IOPRIO_WHO_PROCESS
  return {
      {"chmod another's key", outcome(::chmod(key.c_str(), 0644))},
      {"chown another's key", outcome(::chown(key.c_str(), static_cast<uid_t>(-1), ::getgid()))},
      {"setxattr another's key", outcome(::setxattr(key.c_str(), "user.probe", "1", 1, 0))},
      {"utimes of another's key", outcome(::utimensat(AT_FDCWD, key.c_str(), longAgo.data(), 0))},
      {"truncate another's file", outcome(::truncate((places.folder + "/note").c_str(), 0))},
      {"read another's key", readable(key)},
      {"read /etc/shadow", readable("/etc/shadow")},
      {"set-user-id program, made so", makeSetUserId(places.cache + "/program-made")},
      {"set-user-id program, by fchmod", chmodToSetUserId(places.cache + "/program")},
      {"memfd_create", opened(static_cast<int>(::syscall(SYS_memfd_create, "probe", 1)))},
      {"shmget", makeAndRemove(::shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600),
                               [](int id) { return ::shmctl(id, IPC_RMID, nullptr); })},
      {"semget", makeAndRemove(::semget(IPC_PRIVATE, 1, IPC_CREAT | 0600),
                               [](int id) { return ::semctl(id, 0, IPC_RMID); })},
      {"msgget", makeAndRemove(::msgget(IPC_PRIVATE, IPC_CREAT | 0600),
                               [](int id) { return ::msgctl(id, IPC_RMID, nullptr); })},
      {"inotify of another's folder", watch(places.folder)},
      {"dnotify of its own folder", notify(places.cache)},
      {"fanotify", opened(::fanotify_init(FAN_CLASS_NOTIF | FAN_CLOEXEC, O_RDONLY))},
      {"ioprio_set", outcome(::syscall(SYS_ioprio_set, whoProcess, 0, 2 << 13 | 4))},
      {"mknod of a pipe", node(places.cache + "/pipe", S_IFIFO | 0600, 0)},
      {"mknod of a device", node(places.cache + "/null", S_IFCHR | 0600, ::makedev(1, 3))},
      {"sethostname to what it is", sameHostName()},
      // The call is never carried out: the time is invalid, and the kernel checks that before all
      // else.
      {"clock_settime", outcome(::syscall(SYS_clock_settime, CLOCK_REALTIME, &noTime))},
      {"datagram to another's socket", sendThroughPair(SOCK_DGRAM, places.folder + "/socket")},
  };
}

std::vector<Attempt> identity() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data{};
  ::syscall(SYS_capget, &header, data.data());
  const std::uint64_t high = std::uint64_t{1} << 32U;
  return {
      {"uid", std::to_string(::getuid())},
      {"gid", std::to_string(::getgid())},
      {"groups", std::to_string(::getgroups(0, nullptr))},
      {"effective", hex(data[0].effective + data[1].effective * high)},
      {"permitted", hex(data[0].permitted + data[1].permitted * high)},
      {"inheritable", hex(data[0].inheritable + data[1].inheritable * high)},
      {"become root", outcome(::setresuid(0, 0, 0))},
  };
}

} // namespace probe
