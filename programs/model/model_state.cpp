// SPDX-License-Identifier: Apache-2.0
#include "model_state.hpp"

#include "ground/read_file.hpp"
#include "ground/sha256.hpp"
#include "pinned_model.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <system_error>

namespace skillhost::model {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t maxRecordBytes = std::size_t{1} << 16U;

// Returns the model that the folder's record names; null: `fetch` has not made the folder.
const PinnedModel *recordedModel(const std::string &folder) {
  const Result<std::string> text =
      readFile(folder + "/" + std::string(recordFile), maxRecordBytes, FileKind::Regular);
  if (!text) return nullptr;
  const auto record = nlohmann::json::parse(*text, nullptr, false);
  if (!record.is_object()) return nullptr;
  const auto name = record.find("model");
  if (name == record.end() || !name->is_string()) return nullptr;
  return pinnedModelCalled(name->get_ref<const std::string &>());
}

// Returns the problem; empty: none.
std::string problemOf(const std::string &folder, const PinnedFile &file) {
  const std::string path = folder + "/" + std::string(file.path);
  const Result<std::string> bytes =
      readFile(path, static_cast<std::size_t>(file.bytes), FileKind::Regular);
  if (!bytes)
    return path + ": " +
           (bytes.failure().fault == Fault::NotFound ? "not found" : bytes.failure().message);
  if (bytes->size() != file.bytes)
    return path + ": has " + std::to_string(bytes->size()) + " bytes, not " +
           std::to_string(file.bytes);
  const std::string digest = sha256Hex(*bytes);
  if (digest == file.sha256) return {};
  return path + ": its SHA-256 is " + digest + ", not " + std::string(file.sha256);
}

bool isKnown(const PinnedModel &model, const std::string &name) {
  const auto files = model.files;
  return name == recordFile || name == licenceFile ||
         std::any_of(files.begin(), files.end(),
                     [&name](const PinnedFile &file) { return name == file.path; });
}

[[noreturn]] void failToLook(const std::string &folder, const std::error_code &error) {
  throw std::runtime_error(folder + ": cannot be looked into: " + error.message());
}

struct FilesBelow {
  std::vector<std::string> names; // relative to the folder
  std::uint64_t bytes = 0;
};

FilesBelow filesBelow(const std::string &folder) {
  FilesBelow files;
  std::error_code error;
  for (fs::recursive_directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error)) {
    if (each->is_directory(error) && !each->is_symlink(error)) continue;
    files.names.push_back(each->path().lexically_relative(folder).string());
    std::error_code unknown;
    if (each->is_regular_file(unknown)) files.bytes += each->file_size(unknown);
  }
  if (error) failToLook(folder, error);
  return files;
}

} // namespace

const PinnedModel &pinnedModelFor(std::string_view key) {
  for (const PinnedModel &model : pinnedModels())
    if (model.key == key) return model;
  throw std::out_of_range("no model is called " + std::string(key));
}

const PinnedModel *pinnedModelCalled(std::string_view name) noexcept {
  for (const PinnedModel &model : pinnedModels())
    if (model.name == name) return &model;
  return nullptr;
}

std::string_view nameOf(ModelState::Kind kind) noexcept {
  constexpr std::array<std::string_view, 4> names{"missing", "intact", "damaged", "other"};
  return names.at(static_cast<std::size_t>(kind));
}

ModelState stateOf(const std::string &folder) {
  ModelState state;
  std::error_code error;
  const fs::file_status what = fs::status(folder, error);
  if (what.type() == fs::file_type::not_found && !fs::is_symlink(folder)) return state;
  if (what.type() != fs::file_type::directory) throw std::runtime_error(folder + ": is no folder");
  state.model = recordedModel(folder);
  if (state.model == nullptr) {
    const bool isEmpty = fs::is_empty(folder, error);
    if (error) failToLook(folder, error);
    if (!isEmpty) state.kind = ModelState::Kind::Other;
    return state;
  }
  FilesBelow files = filesBelow(folder);
  state.bytes = files.bytes;
  for (const PinnedFile &file : state.model->files)
    if (std::string problem = problemOf(folder, file); !problem.empty())
      state.problems.push_back(std::move(problem));
  std::sort(files.names.begin(), files.names.end());
  for (std::string &name : files.names)
    if (!isKnown(*state.model, name)) state.added.push_back(std::move(name));
  state.kind = state.problems.empty() ? ModelState::Kind::Intact : ModelState::Kind::Damaged;
  return state;
}

std::uint64_t bytesBelow(const std::string &folder) { return filesBelow(folder).bytes; }

} // namespace skillhost::model
