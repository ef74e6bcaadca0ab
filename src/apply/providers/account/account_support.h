// What users and groups have in common: the commands that change them, and how their failures read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apply/transaction/execution.h"
#include "apply/transaction/failure.h"
#include "apply/transaction/resource.h"

namespace bunraku::apply {

// Digits as an integer; everything else as it is.
Datum number_or_text(const Datum& value);

// The path of a program that the provider needs. Throws Failure when it is not there.
std::string needed_program(std::string_view name);
bool have_account_programs(std::initializer_list<std::string_view> names);

// Runs a command that changes an account; its failure begins with `what`, "Could not create user
// x". A sensitive command is not shown.
void change_account(std::vector<std::string> words, const std::string& what,
                    bool is_sensitive = false);

}  // namespace bunraku::apply
