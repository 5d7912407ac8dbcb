// One table of a TOML file, read key by key: every key has a range, and a key that nobody asked for is an
// error.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

namespace farrier {

class TomlSection {
 public:
  /// `name` is empty for the top level. `table` may be null: all keys absent.
  TomlSection(const toml::table* table, std::string name, std::string origin)
      : TomlSection(table, std::move(name), std::move(origin), std::make_shared<std::set<std::string>>()) {}
  /// The top level of `table` where the keys that `read` asks for are known from the beginning.
  template <class Read>
  static TomlSection top_level(const toml::table& table, std::string origin, Read&& read) {
    TomlSection names(nullptr, "", origin);
    read(names);
    return TomlSection(&table, "", std::move(origin), names.known_anywhere_);
  }

  /// Sets `value` from the key if it is there. Throws UserError for a wrong type or a value out of range.
  void read(std::string_view key, std::int64_t low, std::int64_t high, std::int64_t& value);
  void read(std::string_view key, int low, int high, int& value);
  void read(std::string_view key, double low, double high, double& value);
  void read(std::string_view key, double low, double high, std::optional<double>& value);
  void read(std::string_view key, bool& value);
  void read(std::string_view key, std::string& value);
  /// A value or an array of values, which may be empty only if `empty_too`.
  void read(std::string_view key, std::int64_t low, std::int64_t high, std::vector<std::int64_t>& values,
            bool empty_too = false);
  void read(std::string_view key, double low, double high, std::vector<double>& values);
  /// One of `names`, as its place among them.
  void read_choice(std::string_view key, std::span<const std::string_view> names, std::size_t& value);
  /// The table under that key; an absent one reads as empty.
  TomlSection section(std::string_view key);
  /// The tables of an array of tables, [[key]]; an absent one has none.
  std::vector<TomlSection> sections(std::string_view key);

  bool has(std::string_view key) const { return table_ != nullptr && table_->get(key) != nullptr; }
  /// Throws UserError that names the place of `key` (or of the table, if absent).
  [[noreturn]] void fail(std::string_view key, const std::string& fault) const;
  /// These keys are known, though not read.
  void expect(std::initializer_list<std::string_view> keys);
  /// Throws UserError for the first key that was never read, naming a near one that could have been meant, of this
  /// section or of another that is known.
  void refuse_unknown_keys() const;

 private:
  TomlSection(const toml::table* table, std::string name, std::string origin,
              std::shared_ptr<std::set<std::string>> known_anywhere)
      : table_(table),
        name_(std::move(name)),
        origin_(std::move(origin)),
        known_anywhere_(std::move(known_anywhere)) {}

  const toml::node* find(std::string_view key);
  /// "did you mean 'epochs'?", or which keys there are.
  std::string suggestion(const std::string& unknown) const;
  template <class T>
  void read_list(std::string_view key, T low, T high, std::vector<T>& values, bool empty_too);
  std::string full_name(std::string_view key) const;
  std::int64_t checked(std::string_view key, const toml::node& node, std::int64_t low,
                       std::int64_t high) const;
  double checked(std::string_view key, const toml::node& node, double low, double high) const;

  const toml::table* table_;
  std::string name_;
  std::string origin_;
  std::vector<std::string> known_;
  std::shared_ptr<std::set<std::string>> known_anywhere_;  // full names, of all sections of the file
};

}  // namespace farrier
