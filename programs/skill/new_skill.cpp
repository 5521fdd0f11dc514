// SPDX-License-Identifier: Apache-2.0
#include "new_skill.hpp"

#include "ground/json_text.hpp"
#include "ground/replace_file.hpp"
#include "ground/shown.hpp"
#include "skillmd/validate.hpp"

#include <cstdio>
#include <filesystem>
#include <system_error>

namespace skillhost::app {
namespace {

namespace fs = std::filesystem;

// Returns "Pdf forms" for "pdf-forms".
std::string titleOf(std::string name) {
  for (char &c : name)
    if (c == '-') c = ' ';
  if (!name.empty() && name.front() >= 'a' && name.front() <= 'z')
    name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return name;
}

std::string documentOf(const NewSkillInvocation &skill) {
  std::string description;
  appendJsonString(description,
                   skill.description.empty()
                       ? "What " + skill.name +
                             " does, in one sentence. Use when somebody asks for it in these words."
                       : skill.description);
  return "---\nname: " + skill.name + "\ndescription: " + description + "\n---\n\n# " +
         titleOf(skill.name) +
         "\n\n"
         "Say here, step by step, what is to be done. Whoever reads this knows the task, and not "
         "how it is done here.\n\n"
         "1. First step.\n"
         "2. Second step.\n\n"
         "Put longer texts and scripts beside this file, and name them here by their relative "
         "paths.\n";
}

} // namespace

Result<std::string> makeSkill(const NewSkillInvocation &skill) {
  const fs::path folder = fs::path(skill.folder) / skill.name;
  const std::string file = (folder / "SKILL.md").string();
  const std::string document = documentOf(skill);
  for (const Finding &finding : validateDocument(document, file, skill.name, Strictness::Strict))
    if (finding.severity != Severity::Advice)
      return Failure{Fault::InvalidInput,
                     finding.message + (finding.advice.empty() ? "" : ". " + finding.advice)};
  std::error_code error;
  fs::create_directories(skill.folder, error);
  if (error) return Failure{Fault::OperationFailed, skill.folder + ": " + error.message()};
  if (!fs::create_directory(folder, error))
    return Failure{Fault::AlreadyExists,
                   folder.string() + (error ? ": " + error.message()
                                            : ": is there already; choose another name, or --in "
                                              "another folder")};
  if (const Status written = replaceFile(file, document); !written) {
    fs::remove(folder, error);
    return written.failure();
  }
  return file;
}

int newSkill(const NewSkillInvocation &skill) {
  const Result<std::string> made = makeSkill(skill);
  if (!made) {
    printShown(stderr, "skillhost: %s\n", made.failure().message.c_str());
    return 1;
  }
  printShown(stdout, "%s\n", made->c_str());
  printShown(stderr,
             "Rewrite its description, because models choose a skill by it. Then run `skillhost "
             "validate %s`.\n",
             fs::path(*made).parent_path().c_str());
  return 0;
}

} // namespace skillhost::app
