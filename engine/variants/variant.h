// Which game is played, as a run-time value, with its names.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace farrier {

enum class Variant : std::uint8_t { Chess, Crazyhouse, Knightmate, PocketKnight };
inline constexpr std::array kAllVariants{Variant::Chess, Variant::Crazyhouse, Variant::Knightmate,
                                         Variant::PocketKnight};

/// The UCI_Variant name, used in configs, file names and records: "chess", "crazyhouse", ...
std::string_view variant_name(Variant v);
/// The variant of that name; empty if there is none.
std::optional<Variant> variant_from_name(std::string_view name);
/// "chess, crazyhouse, knightmate, pocketknight": for error messages.
std::string_view variant_names();
/// The variant's own start position.
std::string_view start_fen(Variant v);

}  // namespace farrier
