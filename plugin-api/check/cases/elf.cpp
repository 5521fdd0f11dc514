// SPDX-License-Identifier: Apache-2.0
// elf: examines the file without running any of its code.
#include "cases.hpp"
#include "elf_file.hpp"

#include <skillhost/plugin.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

namespace skillhost::check {
namespace {

// Fails this check but still allows the checks after it.
[[noreturn]] void failAlone(std::string found, std::string advice) {
  throw Ending{Verdict::Failed, std::move(found), std::move(advice), false};
}

void checkOwner(const std::string &path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) fail(path + ": " + std::strerror(errno));
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    failAlone("others may write " + path + ", so that no host loads it", "chmod go-w " + path);
  if (info.st_uid != 0 && info.st_uid != ::geteuid())
    failAlone(path + " belongs to user " + std::to_string(info.st_uid) +
                  ", so that no host of yours loads it",
              "it has to belong to you or to root");
}

std::string firstOf(const std::vector<std::string> &names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 3; ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > 3 ? text + " …" : text;
}

} // namespace

void checkElf(Probe &probe) {
  probe.step("the file");
  const ElfFile file = readElf(probe.path());
  if (!file.fault.empty()) fail("the file " + file.fault, "build it again, for this machine");
  std::vector<std::string> others;
  for (const std::string &name : file.exported)
    if (name != SKH_ENTRY_SYMBOL) others.push_back(name);
  if (others.size() == file.exported.size())
    fail("it does not export " SKH_ENTRY_SYMBOL,
         "define the entry with SKH_EXPORT, in C++ with SKH_PLUGIN() or extern \"C\"");
  if (!file.unique.empty())
    failAlone("it exports symbols that are one for the whole process: " + firstOf(file.unique),
              "link with -Wl,--version-script=plugin.map (pkg-config --libs skillhost-plugin)");
  if (!others.empty())
    failAlone("it exports " + std::to_string(others.size()) +
                  " symbols too many: " + firstOf(others),
              "link with -Wl,--version-script=plugin.map (pkg-config --libs skillhost-plugin)");
  if (file.textRelocations)
    failAlone("it has text relocations: its code is changed when it is loaded",
              "compile every part of it with -fPIC");
  for (const std::string &folder : file.runPaths)
    if (!folder.starts_with("$ORIGIN") && !folder.starts_with("${ORIGIN}"))
      failAlone("it looks for libraries in " + folder, "link without -rpath, or with $ORIGIN");
  checkOwner(probe.path());
  checkOwner(std::filesystem::path(probe.path()).parent_path().string());
  for (const std::string &version : file.versions)
    if (newerThan(version, "GLIBC_", {2, 36}) || newerThan(version, "GLIBCXX_", {3, 4, 30}))
      probe.warn("it needs " + version + ", which Debian 12 does not have",
                 "build it on the oldest system that it is to run on");
  probe.note("exports " SKH_ENTRY_SYMBOL " alone");
}

} // namespace skillhost::check
