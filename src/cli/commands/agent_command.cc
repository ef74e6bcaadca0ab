// `bunraku agent`: applies a server's catalogs, once or repeatedly.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "agent/agent.h"
#include "agent/host_certificates.h"
#include "base/system/file_system.h"
#include "certificates/error.h"
#include "cli/commands/agent_commands.h"
#include "cli/commands/apply_support.h"
#include "cli/commands/catalog_application.h"
#include "cli/commands/event_lines.h"
#include "cli/commands/web_files.h"
#include "cli/frame/node_compilation.h"
#include "cli/frame/session.h"
#include "cli/host_facts.h"
#include "compilation/compilation.h"
#include "site/node/facts.h"

namespace bunraku {
namespace {

struct AgentCommandOptions {
  bool is_test = false;
  bool is_onetime = false;
  bool has_detailed_exit_codes = false;
  bool enables = false;
  bool disables = false;
  bool shows_fingerprint = false;
  std::string reason;
  std::string digest = "SHA256";
  std::optional<std::string> wait_for_certificate;
  std::string name;
  std::string job_id;
  std::vector<std::string> log_destinations;
};

// Calls the functions in deferred values, within a compilation without modules that has this host's
// facts; it is made for the first such value.
class AgentDeferred : public apply::DeferredResolver {
 public:
  AgentDeferred(Session& session, const Settings& settings, const DataNode& facts)
      : session_(session),
        settings_(settings),
        facts_(facts),
        calls_([this]() -> Evaluator& { return evaluator(); }) {}
  const DataNode& resolve(const DataNode& value) override { return calls_.resolve(value); }

 private:
  Evaluator& evaluator() {
    if (compilation_ == nullptr) {
      name_ = settings_.text("certname");
      service_ = std::make_unique<compilation::Service>(settings_without_modules(session_),
                                                        compilation_inputs(session_.options()),
                                                        without_manifests());
      compilation::NodeInput node;
      node.name = name_;
      node.facts = [this](Arena& arena) { return value_of_data(arena, facts_); };
      compilation_ = std::make_unique<compilation::Compilation>(*service_, node, &session_.log());
      compilation_->compile();
    }
    return compilation_->compiler().evaluator();
  }

  Session& session_;
  const Settings& settings_;
  const DataNode& facts_;
  std::string name_;
  std::unique_ptr<compilation::Service> service_;
  std::unique_ptr<compilation::Compilation> compilation_;
  DeferredCalls calls_;
};

// Native types, and synchronised ones.
class AgentTypes : public apply::TypeRegistry {
 public:
  AgentTypes(const RubyOptions& ruby, const Settings& settings, const std::string& environment,
             const DataNode& facts, apply::RunLog& log)
      : types_(ruby, settings, environment, [&facts] { return apply::Datum::from(facts); }, log) {}
  const apply::ResourceType* find(std::string_view name) const override {
    return types_.registry().find(name);
  }

 private:
  HostTypes types_;
};

// The services of the command line for the agent.
class AgentHost : public agent::HostAccess {
 public:
  explicit AgentHost(Session& session) : session_(session) {}
  apply::RunOptions run_options(const Settings& settings) override {
    return bunraku::run_options(settings);
  }
  void make_directories(const Settings& settings) override { make_run_directories(settings); }
  DataNode collect_facts(const Settings& settings, Arena& arena, LogSink& log) override {
    return synchronised_facts(session_, settings, arena, log);
  }
  std::unique_ptr<apply::DeferredResolver> deferred_resolver(const Settings& settings,
                                                             const DataNode& facts) override {
    return std::make_unique<AgentDeferred>(session_, settings, facts);
  }
  std::unique_ptr<apply::TypeRegistry> types(const Settings& settings,
                                             const std::string& environment, const DataNode& facts,
                                             apply::RunLog& log) override {
    return std::make_unique<AgentTypes>(session_.options().ruby, settings, environment, facts, log);
  }
  std::optional<apply::SourceMetadata> find_on_web(const Settings& settings, const std::string& url,
                                                   const std::string& checksum_type) override {
    return web(settings).find(url, checksum_type);
  }
  void read_from_web(const Settings& settings, const std::string& url,
                     const std::function<void(std::string_view)>& take) override {
    web(settings).read(url, take);
  }

 private:
  WebFiles& web(const Settings& settings) {
    if (web_ == nullptr) web_ = std::make_unique<WebFiles>(settings, &session_.log());
    return *web_;
  }

  Session& session_;
  std::unique_ptr<WebFiles> web_;
};

class AgentCommand {
 public:
  AgentCommand(const AgentCommandOptions& options, Session& session)
      : options_(options),
        session_(session),
        is_json_(session.format_or("text") == "json"),
        console_(session, is_json_, options.is_test),
        events_(session) {}

  int run() {
    const Settings settings = load();
    if (options_.shows_fingerprint) return show_fingerprint(settings);
    if (options_.enables || options_.disables) return enable_or_disable(settings);
    is_daemon_ = settings.is_true("daemonize");
    if (!choose_log(settings)) return kExitFailure;
    if (is_daemon_) leave_terminal();
    return settings.is_true("onetime") ? run_once() : make_agent().run_daemon();
  }

 private:
  // The command line's settings, with those that its options imply.
  Settings load() {
    auto values = session_.options().settings;
    if (options_.is_test) {
      for (const char* name : {"usecacheonfailure", "splay", "daemonize"}) {
        values.emplace_back(name, "false");
      }
      values.emplace_back("show_diff", "true");
      values.emplace_back("onetime", "true");
    }
    if (options_.is_onetime) values.emplace_back("onetime", "true");
    if (!options_.name.empty()) values.emplace_back("certname", options_.name);
    Settings settings({std::move(values), "agent"});
    if (!has_loaded_) log_problems(settings.problems(), session_.log());
    has_loaded_ = true;
    return settings;
  }

  int show_fingerprint(const Settings& settings) {
    try {
      const agent::HostCertificates host(settings);
      std::optional<std::string> pem = host.certificate();
      if (!pem) pem = host.request();
      if (!pem) {
        std::fputs(
            "Fingerprint asked but neither the certificate, nor the certificate request have been "
            "issued\n",
            stderr);
        return kExitFailure;
      }
      session_.print(
          certificates::fingerprint_line(options_.digest, certificates::der_of_pem(*pem)) + "\n");
      return kExitSuccess;
    } catch (const certificates::CertificateError& error) {
      return session_.fail(ErrorKind::kError,
                           fmt::format("Failed to generate fingerprint: {}", error.what()));
    }
  }

  int enable_or_disable(const Settings& settings) {
    ConsoleSink sink(session_, false);
    apply::RunLog log(sink);
    if (options_.enables) {
      agent::enable_runs(settings, log);
    } else {
      agent::disable_runs(settings,
                          options_.reason.empty() ? "reason not specified" : options_.reason, log);
    }
    return kExitSuccess;
  }

  bool choose_log(const Settings& settings) {
    LogLevel level = session_.options().log.level;
    if (options_.is_test) level = std::min(level, LogLevel::kInfo);
    return choose_log_destinations(session_, options_.log_destinations, settings,
                                   {"puppet-agent", level, is_daemon_ ? "syslog" : "console"});
  }

  // Continues as a process without a terminal, in a session of its own.
  void leave_terminal() {
    session_.flush();
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) throw FileError(FileErrorKind::kOther, "fork", "no process can be started");
    if (child > 0) _exit(kExitSuccess);
    setsid();
    if (chdir("/") != 0) _exit(kExitFailure);
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      dup2(nothing, descriptor);
  }

  agent::Agent make_agent() {
    agent::AgentOptions options;
    options.load_settings = [this] { return load(); };
    options.job_id = options_.job_id;
    if (options_.wait_for_certificate) {
      options.wait_for_certificate = std::atoll(options_.wait_for_certificate->c_str());
    }
    options.print = [this](const std::string& line) {
      session_.print(line.ends_with('\n') ? line : line + "\n");
      session_.flush();
    };
    if (is_json_) {
      options.observer = [this](const std::string& reference, const apply::ResourceStatus& status,
                                const apply::Event& event) {
        events_.write(reference, status, event);
      };
      options.finished = [this](const apply::Report& report) {
        events_.write_summary(report);
        session_.flush();
      };
    }
    options.reopen_log = [this] { session_.reopen_logs(); };
    options.command_line = own_command_line();
    host_ = std::make_unique<AgentHost>(session_);
    return {std::move(options), *host_, console_};
  }

  int run_once() {
    const std::optional<int> result = make_agent().run_once();
    if (!result) return kExitFailure;
    return options_.has_detailed_exit_codes || options_.is_test ? *result : kExitSuccess;
  }

  static std::vector<std::string> own_command_line() {
    const std::string text = read_file("/proc/self/cmdline");
    std::vector<std::string> words;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\0', begin), text.size());
      words.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return words;
  }

  const AgentCommandOptions& options_;
  Session& session_;
  bool is_json_;
  ConsoleSink console_;
  EventLines events_;
  bool is_daemon_ = false;
  bool has_loaded_ = false;
  std::unique_ptr<AgentHost> host_;
};

int run_agent(const AgentCommandOptions& options, Session& session) {
  if (options.enables && options.disables) {
    throw UsageError("--enable and --disable cannot be given together");
  }
  if (!options.reason.empty() && !options.disables) {
    throw UsageError("agent takes no arguments but the reason of --disable");
  }
  return AgentCommand(options, session).run();
}

}  // namespace

Command make_agent_command() {
  auto options = std::make_shared<AgentCommandOptions>();
  Command command("agent", "Brings this host into the state that a server describes");
  command.argument("[REASON]", "with --disable: why", options->reason);
  command.flag("-t, --test",
               "one run in the foreground: --onetime --no-daemonize --no-usecacheonfailure "
               "--no-splay --show_diff --verbose --detailed-exitcodes",
               options->is_test);
  command.flag("-o, --onetime", "one run, then exit", options->is_onetime);
  command.flag("--detailed-exitcodes",
               "with --onetime: exit with 2 when something was changed, 4 when something failed, 6 "
               "for both, 1 when there was no run",
               options->has_detailed_exit_codes);
  command.flag("--disable", "let no run begin on this host until --enable", options->disables);
  command.flag("--enable", "take --disable back", options->enables);
  command.flag("--fingerprint",
               "print the fingerprint of this host's certificate, or else of its request",
               options->shows_fingerprint);
  command.option("--digest NAME", "the digest of --fingerprint; SHA256 unless said otherwise",
                 options->digest);
  command.option("-w, --waitforcert SECONDS",
                 "how often a certificate is asked for until it is signed; 0: once, which is the "
                 "default of --onetime",
                 options->wait_for_certificate);
  command.option("-f, --fqdn NAME", "the same as --certname", options->name);
  command.option("--job-id ID", "an identifier for the report", options->job_id);
  command.option(
      "-l, --logdest DEST",
      "where to log: console, syslog or a file, also several with commas; a file that ends in "
      ".json is an array, one in .jsonl has an object a line",
      options->log_destinations);
  command.formats({"text", "json"});
  command.takes(OptionGroup::kEnvironment);
  command.ignores_repository();
  command.details(
      "Asks --server for this host's catalog, applies it and sends a report. Without --onetime it "
      "does so every --runinterval, as a daemon in the background, or in the foreground with "
      "--no-daemonize. A host without a certificate requests one first.\n\n"
      "Settings such as --server, --noop, --tags and --use_cached_catalog are options, too.\n\n"
      "Signals to the daemon: USR1 runs now, HUP starts it anew, USR2 opens its log anew, TERM "
      "ends it; a run that is under way skips the resources that are left.\n\n"
      "The exit code is 0 when the catalog was applied, even when single resources have failed, "
      "and 1 when there was no run or it failed; see --detailed-exitcodes.");
  command.example("bunraku agent --test --server puppet.example.com",
                  "one run in the foreground, with differences of files");
  command.example("bunraku agent --test --noop", "shows what a run would change");
  command.example("bunraku agent --disable 'disk is being replaced'", "lets no run begin");
  command.example("bunraku agent --no-daemonize --logdest console",
                  "the daemon in the foreground, as a service manager runs it");
  command.run([options](Session& session) { return run_agent(*options, session); });
  return command;
}

}  // namespace bunraku
