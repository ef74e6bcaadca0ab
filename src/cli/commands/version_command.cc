#include "base/formats/json.h"
#include "base/system/version.h"
#include "cli/commands/commands.h"
#include "cli/frame/session.h"

namespace bunraku {

Command make_version_command() {
  Command command("version", "The version of the program");
  command.formats({"text", "json"});
  command.example("bunraku version", "prints the version alone");
  command.run([](Session& session) {
    if (session.format_or("text") == "json") {
      std::string text;
      JsonWriter json(text, JsonForm::kPretty);
      json.begin_object();
      json.member("version", kVersion);
      json.member("reference", kReferenceVersion);
      json.end_object();
      session.print(text + "\n");
    } else {
      session.print(std::string(kVersion) + "\n");
    }
    return kExitSuccess;
  });
  return command;
}

}  // namespace bunraku
