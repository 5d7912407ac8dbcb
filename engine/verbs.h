// The verbs that the engine program answers itself.
#pragma once

#include <string>
#include <vector>

namespace farrier {

/// Exit statuses of all Farrier programs.
constexpr int kExitOk = 0;
constexpr int kExitFailed = 1;
constexpr int kExitWrongCall = 2;

int bench_verb(const std::vector<std::string>& arguments);
int perft_verb(const std::vector<std::string>& arguments);
int eval_verb(const std::vector<std::string>& arguments);
int net_verb(const std::vector<std::string>& arguments);

/// Replaces this process by the sibling program that has `verb`; returns only if none has it or it is
/// missing.
int hand_to_sibling(const std::string& verb, char** argv);

}  // namespace farrier
