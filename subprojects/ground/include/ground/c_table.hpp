// SPDX-License-Identifier: Apache-2.0
// Tables of C functions that a C++ object implements. Foreign code gets a pointer to the table, and
// passes it back to each function.
#pragma once

namespace skillhost {

// A table and the object behind it. Neither may move while foreign code has the table.
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

// Defines the function `call` of a table, which calls a member function of the table's owner. The
// owner's type `Raw` is an OwnedTable or similar. Foreign code has no exceptions, so every
// exception becomes the answer `failed`.
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
