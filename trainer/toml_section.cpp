#include "trainer/toml_section.h"

#include <algorithm>
#include <numeric>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "engine/base/error.h"

namespace farrier {
namespace {

/// Letters to insert, delete or replace until `a` is `b` (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

void TomlSection::expect(std::initializer_list<std::string_view> keys) {
  for (std::string_view key : keys) {
    known_.emplace_back(key);
    known_anywhere_->insert(full_name(key));
  }
}

const toml::node* TomlSection::find(std::string_view key) {
  expect({key});
  return table_ == nullptr ? nullptr : table_->get(key);
}

std::string TomlSection::full_name(std::string_view key) const {
  return name_.empty() ? std::string(key) : fmt::format("{}.{}", name_, key);
}

void TomlSection::fail(std::string_view key, const std::string& fault) const {
  const toml::node* node = table_ == nullptr ? nullptr : table_->get(key);
  if (node == nullptr) node = table_;
  if (node == nullptr) throw UserError(origin_, fault);
  throw UserError(fmt::format("{}:{}", origin_, node->source().begin.line), fault);
}

std::int64_t TomlSection::checked(std::string_view key, const toml::node& node, std::int64_t low,
                                  std::int64_t high) const {
  if (!node.is_integer()) fail(key, fmt::format("'{}' must be a whole number", full_name(key)));
  const std::int64_t value = **node.as_integer();
  if (value < low || value > high)
    fail(key, fmt::format("'{}' is {}, but must lie between {} and {}", full_name(key), value, low, high));
  return value;
}

double TomlSection::checked(std::string_view key, const toml::node& node, double low, double high) const {
  if (!node.is_number()) fail(key, fmt::format("'{}' must be a number", full_name(key)));
  const double value =
      node.is_integer() ? static_cast<double>(**node.as_integer()) : **node.as_floating_point();
  if (!(value >= low && value <= high))
    fail(key, fmt::format("'{}' is {}, but must lie between {} and {}", full_name(key), value, low, high));
  return value;
}

void TomlSection::read(std::string_view key, std::int64_t low, std::int64_t high, std::int64_t& value) {
  if (const toml::node* node = find(key)) value = checked(key, *node, low, high);
}

void TomlSection::read(std::string_view key, int low, int high, int& value) {
  std::int64_t wide = value;
  read(key, std::int64_t{low}, std::int64_t{high}, wide);
  value = static_cast<int>(wide);
}

void TomlSection::read(std::string_view key, double low, double high, double& value) {
  if (const toml::node* node = find(key)) value = checked(key, *node, low, high);
}

void TomlSection::read(std::string_view key, double low, double high, std::optional<double>& value) {
  if (const toml::node* node = find(key)) value = checked(key, *node, low, high);
}

void TomlSection::read(std::string_view key, bool& value) {
  if (const toml::node* node = find(key)) {
    if (!node->is_boolean()) fail(key, fmt::format("'{}' must be true or false", full_name(key)));
    value = **node->as_boolean();
  }
}

void TomlSection::read(std::string_view key, std::string& value) {
  if (const toml::node* node = find(key)) {
    if (!node->is_string()) fail(key, fmt::format("'{}' must be a text in quotes", full_name(key)));
    value = **node->as_string();
  }
}

template <class T>
void TomlSection::read_list(std::string_view key, T low, T high, std::vector<T>& values, bool empty_too) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  values.clear();
  if (const toml::array* array = node->as_array()) {
    for (const toml::node& item : *array) values.push_back(checked(key, item, low, high));
    if (values.empty() && !empty_too)
      fail(key,
           fmt::format("'{}' must not be an empty array; give it a value, or leave it out", full_name(key)));
  } else {
    values.push_back(checked(key, *node, low, high));
  }
}

void TomlSection::read(std::string_view key, std::int64_t low, std::int64_t high,
                       std::vector<std::int64_t>& values, bool empty_too) {
  read_list(key, low, high, values, empty_too);
}

void TomlSection::read(std::string_view key, double low, double high, std::vector<double>& values) {
  read_list(key, low, high, values, false);
}

TomlSection TomlSection::section(std::string_view key) {
  const toml::node* node = find(key);
  if (node != nullptr && !node->is_table())
    fail(key, fmt::format("'{0}' must be a table: [{0}]", full_name(key)));
  return TomlSection(node == nullptr ? nullptr : node->as_table(), full_name(key), origin_, known_anywhere_);
}

void TomlSection::read_choice(std::string_view key, std::span<const std::string_view> names,
                              std::size_t& value) {
  if (!has(key)) {
    find(key);
    return;
  }
  std::string name;
  read(key, name);
  const auto place = std::find(names.begin(), names.end(), name);
  if (place == names.end())
    fail(key,
         fmt::format("'{}' is '{}', but must be one of {}", full_name(key), name, fmt::join(names, ", ")));
  value = static_cast<std::size_t>(place - names.begin());
}

std::vector<TomlSection> TomlSection::sections(std::string_view key) {
  const toml::node* node = find(key);
  std::vector<TomlSection> all;
  if (node == nullptr) return all;
  if (!node->is_array_of_tables() || node->as_array()->empty())
    fail(key, fmt::format("'{0}' must be an array of tables: [[{0}]], once for each", full_name(key)));
  for (const toml::node& item : *node->as_array())
    all.push_back(TomlSection(item.as_table(), full_name(key), origin_, known_anywhere_));
  return all;
}

void TomlSection::refuse_unknown_keys() const {
  if (table_ == nullptr) return;
  // toml++ sorts keys by name; the user wants the first one in the file.
  const toml::node* first = nullptr;
  std::string unknown;
  for (auto&& [key, node] : *table_) {
    const std::string name(key.str());
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    if (first == nullptr || node.source().begin.line < first->source().begin.line) {
      first = &node;
      unknown = name;
    }
  }
  if (first == nullptr) return;
  const std::string where = name_.empty() ? "at the top level" : fmt::format("in [{}]", name_);
  throw UserError(fmt::format("{}:{}", origin_, first->source().begin.line),
                  fmt::format("unknown key '{}' {}; {}", unknown, where, suggestion(unknown)));
}

std::string TomlSection::suggestion(const std::string& unknown) const {
  const auto nearest = std::min_element(known_.begin(), known_.end(), [&](const auto& a, const auto& b) {
    return edit_distance(a, unknown) < edit_distance(b, unknown);
  });
  const std::size_t typos = unknown.size() < 4 ? 1 : std::max<std::size_t>(2, unknown.size() / 3);
  if (edit_distance(*nearest, unknown) <= typos) return fmt::format("did you mean '{}'?", *nearest);
  if (known_anywhere_->contains(unknown)) return fmt::format("'{}' belongs to the top level", unknown);
  for (const std::string& name : *known_anywhere_)
    if (name.ends_with("." + unknown)) return fmt::format("did you mean '{}'?", name);
  return fmt::format("the keys there are {}", fmt::join(std::set(known_.begin(), known_.end()), ", "));
}

}  // namespace farrier
