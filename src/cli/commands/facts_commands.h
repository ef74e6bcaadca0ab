// Commands about facts.
#pragma once

#include "cli/frame/command.h"

namespace bunraku {

Command make_facts_fetch_command();

}  // namespace bunraku
