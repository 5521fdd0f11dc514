// SPDX-License-Identifier: Apache-2.0
// Parses a shell program and evaluates it on the way. The parser is tolerant, because most of what
// it reads is an extract: a quote that is not closed is a character, and keywords without partners
// are passed over.
#pragma once

#include "command_reader.hpp"
#include "skillmd/characters.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skillhost {

// The redirections of one command.
struct Redirections {
  Data input; // of `<`, `<<` and `<<<`
  bool hasInput = false;
  std::vector<std::string> outputs;          // files that get the output
  std::vector<std::string_view> consumers{}; // programs within `>(…)`
};

class ShellProgram {
public:
  // `isWhole`: positions in the program are positions in the text behind `at`; otherwise all of it
  // is at `at`.
  ShellProgram(CommandReader &reader, std::string_view program, std::size_t at, bool isWhole)
      : reader_(reader), in_(program), base_(at), isWhole_(isWhole) {}

  // Returns the output.
  Data run(const Data &input) { return readList(End::OfText, input); }

private:
  enum class End { OfText, Parenthesis, Brace, Done, Fi, Esac };

  static bool isNameByte(char c) noexcept;
  char byte(std::size_t at) const noexcept { return at < in_.size() ? in_[at] : '\0'; }
  std::size_t place() const noexcept { return isWhole_ ? base_ + at_ : base_; }
  void skipBlanks() noexcept;
  void skipLine() noexcept;
  std::string_view peekWord() const noexcept;
  // Returns true if the list ended there.
  bool skipSeparators(End end);
  Data readList(End end, const Data &input);
  Data readPipeline(const Data &input);
  Data readStage(const Data &input, bool isPiped);
  Data readCompound(std::string_view keyword, const Data &input);
  void readFunction(std::string_view name);
  Data readCoprocess();
  const std::string *coprocessOf(std::string_view file) const;
  Data readSimple(const Data &input, bool isPiped);
  bool assignsArray() const noexcept;
  bool readAssignment(std::string &canonical);
  std::optional<std::size_t> indexOf(std::string_view key, std::size_t size) const;
  void assignElement(std::string_view name, std::string_view key, Data value);
  bool readElement(std::string_view name, std::string_view key, Data &into);
  bool readRedirection(Redirections &to);
  bool skipOwnValue(std::string_view name, std::vector<Data> &values);
  void readHereDocument(Redirections &to);
  std::size_t findLine(std::string_view wanted, std::size_t from);
  Data apply(const Redirections &redirections, Data output);
  // Appends the fields of the word at the current place.
  void readWord(std::vector<Data> &fields);
  void readQuoted(Data &into);
  // Reads `$…`; returns true if the value is split into fields.
  bool readExpansion(Data &into, bool isQuoted);
  std::size_t endOfBraces(std::size_t open) noexcept;
  void readBraced(Data &into);
  void readVariable(std::string_view name, Data &into);
  Data readSubstitution();
  Data readBackticks();
  bool readBraces(std::vector<Data> &fields);
  std::size_t pastGroup(std::size_t open) const noexcept;

  CommandReader &reader_;
  std::string_view in_;
  std::size_t at_ = 0;
  const std::size_t base_;
  const bool isWhole_;
  std::size_t hereDocumentEnd_ = 0; // where reading goes on behind the current line; 0: there
  std::size_t pipelinePlace_ = 0;   // where the current pipeline begins in the text
  bool respelled_ = false;          // the current pipeline is spelled in another way
  bool isArray_ = false;            // an array was expanded within quotation marks
  std::vector<Data> elements_;      // of the array that was expanded in the current word
  bool hasUnclosedBrace_ = false;   // a `${` is not closed
  std::size_t unclosedFrom_ = std::string_view::npos; // no `}` is behind this place
  std::string plain_;                                 // the current pipeline
  std::vector<std::string_view> lines_;               // sorted, without blanks around them
};

inline bool ShellProgram::isNameByte(char c) noexcept { return letter(c) || digit(c) || c == '_'; }

// Carries out one command, in which all words are expanded. Returns its output.
Data carryOut(CommandReader &reader, std::vector<Data> words, const Data &input, bool isPiped,
              std::size_t at);

} // namespace skillhost
