// Shared code of users and groups: the commands that change them, and the texts of failures.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/transaction/execution.h"
#include "apply/transaction/failure.h"
#include "apply/transaction/resource.h"

namespace bunraku::apply {

// The parts, separated by commas.
std::string joined(const std::vector<std::string>& parts);
// The names in order, each once.
std::vector<std::string> sorted_once(std::vector<std::string> names);

// Converts digits to an integer; returns any other value unchanged.
Datum number_or_text(const Datum& value);

// The path of a program that the provider requires. Throws Failure when it is missing.
std::string needed_program(std::string_view name);
bool have_account_programs(std::initializer_list<std::string_view> names);

// Runs a command that changes an account. A failure's message begins with `what`, such as "Could
// not create user x". A sensitive command is not shown. Programs of libuser get its configuration.
void change_account(std::vector<std::string> words, const std::string& what,
                    bool is_sensitive = false, bool uses_libuser = false);

}  // namespace bunraku::apply
