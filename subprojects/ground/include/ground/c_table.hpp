// SPDX-License-Identifier: Apache-2.0
// Tables of C functions that an object of C++ answers: foreign code is given a pointer to the
// table, and hands it back to each of its functions.
#pragma once

namespace skillhost {

// A table, and the object that answers. Neither moves while foreign code has the table.
template <class Functions> class OwnedTable {
public:
  using Table = Functions;

  OwnedTable(const Table &table, void *owner) noexcept : both_{table, owner} {}
  OwnedTable(const OwnedTable &) = delete;
  OwnedTable &operator=(const OwnedTable &) = delete;

  const Table *get() const noexcept { return &both_.table; }
  template <class Owner> static Owner &owner(const Table *table) noexcept {
    return *static_cast<Owner *>(reinterpret_cast<const Both *>(table)->owner);
  }

private:
  struct Both {
    Table table;
    void *owner;
  };
  Both both_;
};

// The function of a table, `call`, that calls a member function of the table's owner, whose type
// `Raw` is an OwnedTable or its like. Foreign code knows no exceptions: for all that is thrown it
// is answered `failed`.
template <auto method, auto failed> struct TableFunction;
template <class Owner, class Answer, class... Arguments, Answer (Owner::*method)(Arguments...),
          auto failed>
struct TableFunction<method, failed> {
  static Answer call(const typename Owner::Raw::Table *table, Arguments... arguments) noexcept try {
    return (Owner::Raw::template owner<Owner>(table).*method)(arguments...);
  } catch (...) {
    return failed;
  }
};

} // namespace skillhost
