// SPDX-License-Identifier: Apache-2.0
#include "command_reader.hpp"

#include "code_program.hpp"
#include "shell_program.hpp"
#include "skillmd/characters.hpp"

#include <algorithm>
#include <utility>

namespace skillhost {
namespace {

constexpr std::size_t maxNames = 4096; // variables, files, aliases and functions of each kind
// The work for a text of a size, in bytes that are read or copied. What the programs keep is not
// larger. Small programs get more for each byte: they may use loops over lists and the like freely.
constexpr std::size_t workFor(std::size_t size) noexcept {
  constexpr std::size_t large = 64 * 1024 * 1024;
  constexpr std::size_t small = 2 * 1024 * 1024;
  return 65'536 + std::min(256 * size, small) + std::min(32 * size, std::max(8 * size, large));
}

std::string_view withoutFolders(std::string_view path) noexcept {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == npos ? path : path.substr(slash + 1);
}

} // namespace

void Data::takeOriginOf(const Data &other) {
  downloaded = downloaded || other.downloaded;
  decoded = decoded || other.decoded;
  saved = saved || other.saved;
  isCut = isCut || other.isCut;
  check = std::max(check, other.check);
  if (address.text().empty()) address = other.address;
}

void Data::add(std::string_view more) {
  const std::string_view kept = more.substr(0, maxText - std::min(maxText, text.size()));
  isCut = isCut || kept.size() < more.size();
  text.append(kept);
}

CommandReader::CommandReader(std::size_t textSize, Listeners listeners)
    : work_(workFor(textSize)), listeners_(std::move(listeners)) {
  for (const auto &[name, value] :
       {std::pair{"SHELL", "/bin/bash"}, std::pair{"BASH", "/bin/bash"}, std::pair{"0", "bash"},
        std::pair{"IFS", " "}, std::pair{"PATH", "/usr/local/bin:/usr/bin:/bin"}})
    variables_[name].text = value;
}

bool CommandReader::spend(std::size_t work) noexcept {
  if (work >= work_) {
    isCutShort_ = true;
    work_ = 0;
    return false;
  }
  work_ -= work;
  return true;
}

bool CommandReader::isTooMuch(std::string_view program) noexcept {
  isCutShort_ = isCutShort_ || depth_ >= maxDepth;
  return depth_ >= maxDepth || !spend(program.size() + 64);
}

void CommandReader::readShell(std::string_view program, std::size_t at) {
  ShellProgram(*this, program, at, true).run({});
}

void CommandReader::readCode(std::string_view program, std::size_t at) {
  CodeProgram(*this, program, at, true).run();
}

Data CommandReader::readNestedShell(std::string_view program, std::size_t at, const Data &input) {
  if (isTooMuch(program)) return {};
  const std::string kept(program); // the caller's text may change
  ++depth_;
  Data output = ShellProgram(*this, kept, at, false).run(input);
  --depth_;
  return output;
}

void CommandReader::readNestedCode(std::string_view program, std::size_t at) {
  if (isTooMuch(program)) return;
  const std::string kept(program);
  ++depth_;
  CodeProgram(*this, kept, at, false).run();
  --depth_;
}

Data CommandReader::runShellText(const Data &program, std::size_t at, const Data &input) {
  report(program, at);
  isCutShort_ = isCutShort_ || program.isCut;
  return program.text.empty() ? Data() : readNestedShell(program.text, at, input);
}

void CommandReader::runCodeText(const Data &program, std::size_t at) {
  report(program, at);
  isCutShort_ = isCutShort_ || program.isCut;
  if (!program.text.empty()) readNestedCode(program.text, at);
}

void CommandReader::report(const Data &data, std::size_t at) {
  if (data.isUnseen()) listeners_.onRun({data, at});
}

void CommandReader::save(std::string_view file, Data data) {
  const std::string_view name = withoutFolders(file);
  if (name.empty() || name == "null" || name.size() > 255) return;
  data.order = ++saves_;
  data.saved = data.isUnseen() && file.find("/dev/fd/") == npos;
  if (!spend(data.text.size() + 64)) data.text.clear();
  const auto old = files_.find(name);
  if (old != files_.end())
    old->second = std::move(data);
  else if (files_.size() < maxNames)
    files_.emplace(name, std::move(data));
  else
    isCutShort_ = true;
}

const Data *CommandReader::savedFile(std::string_view file) const {
  const auto found = files_.find(withoutFolders(file));
  return found == files_.end() ? nullptr : &found->second;
}

void CommandReader::trust(std::string_view file) {
  const auto found = files_.find(withoutFolders(file));
  if (found == files_.end() || !found->second.downloaded) return;
  found->second.downloaded = false;
  found->second.check = ++checks_;
}

void CommandReader::distrustSince(Moment moment, bool onlyOlder) {
  if (checks_ == moment.check || !spend(files_.size() * 16)) return;
  for (auto &[name, data] : files_)
    if (data.check > moment.check && (!onlyOlder || data.order <= moment.order)) {
      data.downloaded = data.saved = true;
      data.check = 0;
    }
}

void CommandReader::assign(std::string_view name, Data value) {
  if (name.empty()) return;
  // A function may set its output parameter: `local -n result=$1; result=x`. A variable with a
  // value keeps it, because the program may never make the reference.
  if (const auto reference = references_.find(name);
      reference != references_.end() && !variables_.contains(reference->second))
    assignItself(reference->second, value);
  assignItself(name, std::move(value));
}

void CommandReader::assignItself(std::string_view name, Data value) {
  if (name.empty()) return;
  if (!spend(name.size() + value.text.size() + 64)) value.text.clear();
  const auto old = variables_.find(name);
  if (old != variables_.end())
    old->second = std::move(value);
  else if (variables_.size() < maxNames)
    variables_.emplace(name, std::move(value));
  else
    isCutShort_ = true;
}

bool CommandReader::append(std::string_view name, std::string_view separator, const Data &value) {
  const auto old = variables_.find(name);
  if (old == variables_.end()) return false;
  if (!spend(name.size() + value.text.size() + 64)) return true;
  if (!separator.empty()) old->second.add(separator);
  old->second.add(value.text);
  old->second.takeOriginOf(value);
  return true;
}

void CommandReader::assign(std::map<std::string, std::string, std::less<>> &all,
                           std::string_view name, std::string text) {
  if (!spend(name.size())) return;
  if (const auto old = all.find(name); old != all.end())
    old->second = std::move(text);
  else if (all.size() < maxNames)
    all.emplace(name, std::move(text));
  else
    isCutShort_ = true;
}

std::string_view CommandReader::meantBy(std::string_view name) const {
  for (int left = 8; left > 0 && !variables_.contains(name); --left) {
    const auto reference = references_.find(name);
    if (reference == references_.end()) break;
    name = reference->second;
  }
  return name;
}

// Names of commands and files have letters, digits and some marks. A program could set IFS to one
// of these where it is never run, to hide its commands from this reader, so they do not count.
void CommandReader::separateBy(std::string_view ifs) {
  separators_.clear();
  for (const char c : ifs)
    if (!letter(c) && !digit(c) && std::string_view("/._-").find(c) == npos &&
        separators_.find(c) == npos)
      separators_ += c;
}

void CommandReader::addCommand(std::string text, std::size_t at, bool respelled) {
  if (text.empty() || lastCommand_ == text) return;
  listeners_.onCommand({text, at, respelled});
  lastCommand_ = std::move(text);
}

} // namespace skillhost
