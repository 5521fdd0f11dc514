// SPDX-License-Identifier: Apache-2.0
// Reads programs as their interpreters would, so that rules see what a program does and not how it
// is spelled: words without quotes, variables, aliases, functions, here-documents, substitutions,
// and texts that are decoded on the way. Nothing is executed; data is followed from a download or a
// decoder to whatever runs it.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// The address of a download, with the arguments of the command that fetches it. Copies share the
// text, because the data of a download may be copied into thousands of words.
class Address {
public:
  static constexpr std::size_t maxBytes = 4096; // what follows them is dropped

  Address &operator=(std::string_view text) {
    text_ = std::make_shared<const std::string>(text.substr(0, maxBytes));
    return *this;
  }
  std::string_view text() const noexcept {
    return text_ == nullptr ? std::string_view() : std::string_view(*text_);
  }

private:
  std::shared_ptr<const std::string> text_;
};

// Data that a program handles: its text if that is known, and where it is from.
struct Data {
  std::string text;
  Address address;
  bool downloaded = false;
  bool decoded = false;
  bool saved = false;      // it was written to a file in between
  bool executable = false; // a file that was made executable
  std::size_t check = 0;   // the number of the check that took `downloaded` away; 0: none
  std::size_t order = 0;   // of a file: which of all that were saved it is
  bool isCut = false;      // the text was longer than maxText bytes

  static constexpr std::size_t maxText = 65'536;

  bool isUnseen() const noexcept { return downloaded || decoded; }
  // Appends to the text.
  void add(std::string_view more);
  // Adds the origin of other data, not its text.
  void takeOriginOf(const Data &other);
  // Returns the bytes that a copy needs.
  std::size_t bytes() const noexcept { return sizeof(Data) + text.size(); }
};

// A pipeline in plain spelling.
struct PlainCommand {
  std::string text;
  std::size_t at; // in the text that was read
  bool respelled; // the text that was read spells it in another way
};

// A place where unseen data is run.
struct UnseenRun {
  const Data &data;
  std::size_t at;
};

// The state of one text. Its programs share variables, functions and files, because
// an attack may be spread over several blocks. All work together is bounded by the size of the
// text, so that reading takes linear time.
class CommandReader {
public:
  // The reader calls these in the order of evaluation, while it reads.
  struct Listeners {
    std::function<void(const PlainCommand &)> onCommand;
    std::function<void(const UnseenRun &)> onRun;
  };

  CommandReader(std::size_t textSize, Listeners listeners);

  // Reads a shell program that begins at `at` of the text.
  void readShell(std::string_view program, std::size_t at);
  // Reads a shell program that stands in another spelling at `at`.
  void readShellText(std::string_view program, std::size_t at) { readNestedShell(program, at, {}); }
  // Reads a program in Python, JavaScript, Ruby, PHP, PowerShell or a similar language.
  void readCode(std::string_view program, std::size_t at);
  // Reads such a program that stands in another spelling at `at`.
  void readCodeText(std::string_view program, std::size_t at) { readNestedCode(program, at); }

  // Returns true if the work, the names or the levels did not suffice, so that a part was not
  // understood.
  bool isCutShort() const noexcept { return isCutShort_; }
  std::size_t workLeft() const noexcept { return work_; }

private:
  friend class ShellProgram;
  friend class ShellCommand;
  friend class CodeProgram;

  static constexpr std::size_t maxDepth = 16;     // programs within one another
  static constexpr std::size_t maxGroups = 64;    // groups and substitutions within one another
  static constexpr std::size_t maxWords = 65'536; // of a command

  // Returns false if the work that is left does not suffice. Nothing more is read then.
  bool spend(std::size_t work) noexcept;
  bool isExhausted() const noexcept { return work_ == 0; }
  // Returns true if a nested program cannot be read: it is too deep, or needs too much work.
  bool isTooMuch(std::string_view program) noexcept;
  // Reads a program that is the text of some data.
  Data readNestedShell(std::string_view program, std::size_t at, const Data &input);
  void readNestedCode(std::string_view program, std::size_t at);
  // Runs data as a shell program (or code): reports it if it is unseen, and reads its text.
  Data runShellText(const Data &program, std::size_t at, const Data &input);
  void runCodeText(const Data &program, std::size_t at);
  void report(const Data &data, std::size_t at);
  void save(std::string_view file, Data data);
  // Returns the data of a file that was saved before, or nullptr. Folders in the name are ignored.
  const Data *savedFile(std::string_view file) const;
  // Takes the mark of a download from a file that was checked.
  void trust(std::string_view file);
  // A moment, to which checks are later or earlier.
  struct Moment {
    std::size_t check, order;
  };
  Moment now() const noexcept { return {checks_, saves_}; }
  // Gives the mark back to files that were checked since then. `onlyOlder`: to those that were
  // saved before then.
  void distrustSince(Moment moment, bool onlyOlder);
  // Sets a variable, or an alias or function.
  void assign(std::string_view name, Data value);
  // Sets a variable, whatever its name refers to.
  void assignItself(std::string_view name, Data value);
  // Appends to a variable; returns false if there is none. The work does not grow with the
  // variable.
  bool append(std::string_view name, std::string_view separator, const Data &value);
  void assign(std::map<std::string, std::string, std::less<>> &all, std::string_view name,
              std::string text);
  // Returns the variable that a name means: its own if that has a value, or else the one to which
  // the name refers.
  std::string_view meantBy(std::string_view name) const;
  // Takes a value of IFS: which characters split expanded text into words besides blanks.
  void separateBy(std::string_view ifs);
  void addCommand(std::string text, std::size_t at, bool respelled);

  std::size_t work_;
  bool isCutShort_ = false;
  std::size_t depth_ = 0, groups_ = 0;
  std::size_t streams_ = 0; // substituted files that were made
  std::size_t checks_ = 0, saves_ = 0;
  std::map<std::string, Data, std::less<>> variables_, files_;
  std::map<std::string, std::vector<Data>, std::less<>> arrays_; // `@`: the arguments
  std::map<std::string, std::string, std::less<>> aliases_, functions_;
  std::map<std::string, std::string, std::less<>>
      references_; // names that `declare -n` made, and what they mean
  std::map<std::string, std::string, std::less<>> coprocesses_; // their programs, by their inputs
  std::string separators_;                                      // see separateBy()
  std::set<std::string> running_; // functions whose bodies are being read
  const Listeners listeners_;
  std::string lastCommand_;
};

} // namespace skillhost
