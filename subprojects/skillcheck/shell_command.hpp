// SPDX-License-Identifier: Apache-2.0
// Carries out one simple command of a shell program without running it: follows what it does with
// data. shell_command.cpp knows the usual commands, shell_checks.cpp those that check sums and
// signatures.
#pragma once

#include "command_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

class ShellCommand {
public:
  ShellCommand(CommandReader &reader, std::vector<Data> words, const Data &input, bool isPiped,
               std::size_t at)
      : reader_(reader), words_(std::move(words)), input_(input),
        isPiped_(isPiped || input.isUnseen() || !input.text.empty()), at_(at) {}

  Data carryOut();

private:
  std::string_view word(std::size_t i) const noexcept {
    return i < words_.size() ? std::string_view(words_[i].text) : std::string_view();
  }
  void drop(std::size_t count) {
    words_.erase(words_.begin(),
                 words_.begin() + static_cast<std::ptrdiff_t>(std::min(count, words_.size())));
  }
  Data joined(std::size_t from) const;
  // Removes wrappers such as sudo, and sets name_. Returns false if no command is left, or if it
  // was carried out; its output is then in output_.
  bool unwrap();
  void unwrapXargs();
  Data fetch(std::string_view name);
  Data filter(std::string_view name);
  Data unpack(std::string_view name);
  Data decode(std::string_view name);
  Data print(std::string_view name);
  Data runShell();
  void runInterpreter(std::string_view name);
  void runFile(std::string_view file, bool isCode = false);
  void runWithin();
  Data runOverSsh();
  void runRest(std::size_t from);
  void copyFile();
  void setArguments(std::size_t from);
  void nameArguments(const std::vector<Data> &arguments);
  void shiftArguments();
  bool isCheck(std::string_view name) const;
  Data verify(std::string_view name);
  void verifyList(const Data &list);

  CommandReader &reader_;
  std::vector<Data> words_;
  std::string name_; // the name of the command that words_ begin with
  const Data &input_;
  const bool isPiped_;
  const std::size_t at_;
  Data output_;
};

} // namespace skillhost
