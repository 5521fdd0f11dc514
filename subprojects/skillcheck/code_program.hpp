// SPDX-License-Identifier: Apache-2.0
// Follows data through a program in Python, JavaScript, Ruby, PHP, PowerShell or a similar
// language: from calls that download or decode, through variables and files, to calls that run it.
// It knows the usual calls, and no syntax beyond expressions, assignments and blocks.
#pragma once

#include "command_reader.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skillhost {

class CodeProgram {
public:
  // `isWhole`: positions in the program are positions in the text behind `at`; otherwise all of it
  // is at `at`.
  CodeProgram(CommandReader &reader, std::string_view program, std::size_t at, bool isWhole)
      : reader_(reader), in_(program), base_(at), isWhole_(isWhole) {}

  void run();

private:
  // The value of an expression.
  struct Operand {
    Data data{};
    std::string name{};  // the dotted name that was read last, in lower case
    std::string alias{}; // the name that a variable stands for, such as `exec` after `k = exec`
    std::string file{};  // the file that a handle or a path is for
    std::shared_ptr<const std::vector<Data>> list{}; // the elements; nullptr: no list
    bool isMixed = false;                            // text that is seen stands before the unseen
    bool isShell = false;                            // a shell that waits for input
    bool exists = false;

    // Returns the size of the texts that are copied with the value.
    std::size_t bytes() const noexcept {
      return data.text.size() + name.size() + alias.size() + file.size();
    }
  };
  enum class Runs { Nothing, Code, Shell };
  // A parenthesis, bracket or brace that is open, and the state of the statement around it.
  struct Frame {
    char kind = '(';
    Operand receiver{}; // its name is the callee
    std::vector<Operand> arguments{};
    std::vector<std::string> names{};                           // of the arguments that are names
    std::string argumentName{};                                 // of a named argument that is read
    std::vector<std::pair<std::string, std::string>> renames{}; // `{exec: run}`: run, exec
    Operand input{};                                            // the argument `input`
    Operand left{};
    std::vector<std::string> targets{};
    bool isAppended = false;
    Runs runs = Runs::Nothing;
  };

  static std::string lastName(const std::string &name);
  char byte(std::size_t at) const noexcept { return at < in_.size() ? in_[at] : '\0'; }
  std::size_t place() const noexcept { return isWhole_ ? base_ + at_ : base_; }
  char nextByte() const noexcept;
  void skipLine() noexcept;
  // Returns the place of the closing mark of the string at the current place, or npos.
  std::size_t endOfString(char quote, bool isTriple) noexcept;
  void readString(bool isRaw, bool isTemplate);
  std::string expanded(std::string_view text);
  void readName();
  void readImport();
  void readLambda();
  void readMember(const std::string &name);
  void readPunctuation(char c);
  void readDownloadCommand(const std::string &name);
  void readAssignment();
  void merge();
  void open(char kind);
  void close(char kind);
  void endArgument();
  void nameArgument();
  void endStatement();
  void runPending();
  void giveUpFrames();
  void beginFunction(std::string name, std::vector<std::string> parameters);
  static void setAlias(Operand &value);
  void assignAlias(const std::string &name, std::string alias);
  void assign(const std::string &name, const Operand &value);
  const Operand *variable(const std::string &name) const;
  void bindParameters(const std::vector<std::string> &names);
  const Operand *mention(const std::string &name);
  bool runsParameter(const Operand &program, std::string_view runner);
  Operand call(Frame &frame);
  bool callDownload(const std::string &callee, const std::string &last, const Frame &frame,
                    Operand &result);
  bool callDecoder(const std::string &callee, const std::string &last, const Frame &frame,
                   Operand &result);
  bool callFile(const std::string &callee, const std::string &last, const Frame &frame,
                Operand &result);
  bool callText(const std::string &last, const Frame &frame, Operand &result);
  bool callRunner(const std::string &callee, const std::string &last, const Frame &frame,
                  Operand &result);
  void runCode(const Operand &program);
  Operand runShell(const Operand &program, const Operand &input);

  CommandReader &reader_;
  std::string_view in_;
  std::size_t at_ = 0;
  const std::size_t base_;
  const bool isWhole_;
  std::vector<Frame> frames_;
  std::map<std::string, Operand, std::less<>> variables_;
  Operand operand_;
  Operand left_;                     // what stands before a `+`
  Operand piped_;                    // what stands before a `|`
  Runs runs_ = Runs::Nothing;        // the operand is an argument without parentheses
  std::vector<std::string> targets_; // the variables that the statement assigns
  bool isAppended_ = false;
  std::vector<std::string> lastNames_; // the names within the group that was closed last
  std::vector<std::pair<std::string, std::string>> lastRenames_;
  std::string definition_; // the function whose parameters come next
  // The function that was defined last. If it runs a parameter, its calls run their argument.
  std::string function_;
  std::vector<std::string> parameters_;
  std::size_t frameLines_ = 0; // lines since the outermost frame was opened
  // Strings that begin before these places are not closed: by quote, `"`, `'` and a backtick, and
  // for the first two by whether it is threefold. Without these, reading would take quadratic time.
  std::array<std::array<std::size_t, 2>, 3> unclosedUntil_{};
  bool hasNoCommentEnd_ = false; // no `*/` is behind the current place
};

} // namespace skillhost
