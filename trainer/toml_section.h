// One table of a TOML file, read key by key: every key has a range, and a key that nobody asked for is an
// error.
#pragma once

#include <cstdint>
#include <optional>
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
      : table_(table), name_(std::move(name)), origin_(std::move(origin)) {}

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
  /// Throws UserError for the first key that was never read, naming the nearest one that could have been
  /// meant.
  void refuse_unknown_keys() const;

 private:
  const toml::node* find(std::string_view key);
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
};

}  // namespace farrier
