// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood 2014).
#pragma once

#include <cstdint>

namespace farrier {

/// The finaliser of SplitMix64: a bijection that scatters its input over all 64 bits.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

/// A small deterministic generator; satisfies UniformRandomBitGenerator. Use `below` and `uniform` rather
/// than the standard distributions, whose results differ between standard libraries.
class Rng {
 public:
  using result_type = std::uint64_t;
  constexpr explicit Rng(std::uint64_t seed) : state_(seed) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  constexpr std::uint64_t operator()() { return mix64(state_ += 0x9E3779B97F4A7C15ULL); }
  /// Uniform in [0, bound); bound > 0. The bias is below bound / 2^32.
  constexpr std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((*this)() >> 32) * bound >> 32);
  }
  /// Uniform in [0, 1), 53 bits.
  constexpr double uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

/// A seed for item `index` of stream `stream` under `seed`: independent of who draws it and when.
constexpr std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return mix64(mix64(mix64(seed + 0x9E3779B97F4A7C15ULL) ^ stream) + 0x9E3779B97F4A7C15ULL * (index + 1));
}

}  // namespace farrier
