// The store's settings, access rights and requests.
#include "server/store_routes.h"

#include <fmt/format.h>

#include "base/system/file_system.h"
#include "server/configuration.h"

namespace bunraku::server {
namespace {

store::Configuration read_settings(const Configuration& configuration, ServerLog& log) {
  const std::string file = join_path(configuration.settings.text("confdir"), "store.ini");
  store::Configuration settings;
  try {
    if (exists(file)) settings = store::read_configuration(file);
  } catch (const store::StoreError& error) {
    throw ConfigurationError(error.what());
  } catch (const FileError& error) {
    throw ConfigurationError(error.what());
  }
  for (const std::string& notice : settings.notices) log.write(LogLevel::kWarning, notice);
  return settings;
}

store::AccessLists with_server(store::AccessLists access, const std::string& certname) {
  for (auto* list : {&access.queries, &access.commands, &access.administration}) {
    list->push_back(certname);
  }
  return access;
}

std::unique_ptr<store::Store> open_replica(const std::string& url) {
  try {
    return store::open_replica(url);
  } catch (const store::StoreError& error) {
    throw ConfigurationError(fmt::format("[read-database] url: {}", error.what()));
  }
}

std::function<void(LogLevel, const std::string&)> log_lines(ServerLog& log) {
  return [&log](LogLevel level, const std::string& text) { log.write(level, text); };
}

}  // namespace

StoreRoutes::StoreRoutes(store::Store& store, const Configuration& configuration, ServerLog& log)
    : StoreRoutes(store, read_settings(configuration, log), configuration, log) {}

StoreRoutes::StoreRoutes(store::Store& store, store::Configuration settings,
                         const Configuration& configuration, ServerLog& log)
    : replica_(open_replica(settings.read_url)),
      access_(with_server(std::move(settings.access), configuration.certname)),
      spool_(store, join_path(configuration.settings.text("vardir"), "store/spool"),
             log_lines(log)),
      api_(store,
           {{}, log_lines(log), settings.largest_command, settings.lifetimes, replica_.get()}),
      collector_(store, settings.lifetimes, settings.garbage_interval, log_lines(log)) {
  store.set_fact_filter(settings.fact_filter);
}

net::Response StoreRoutes::answer(const net::Request& request, const Client& client) {
  return api_.answer(request, access_.of(client.is_authenticated ? client.name : ""));
}

}  // namespace bunraku::server
