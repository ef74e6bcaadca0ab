// Environments that change while a process runs, and limits of requests.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "base/system/file_system.h"
#include "compilation/catalog_compilation.h"

using namespace bunraku;
using namespace bunraku::compilation;

namespace {

// New environments, the first with one module.
struct Site {
  Site() {
    char name[] = "/tmp/bunraku-test-XXXXXX";
    directory = mkdtemp(name);
    write("production/manifests/site.pp", "include app");
    write("production/modules/app/manifests/init.pp", "class app { notify { 'one': } }");
    write("other/manifests/site.pp", "notify { 'other': }");
  }
  ~Site() { std::filesystem::remove_all(directory); }

  void write(const std::string& path, std::string_view text) const {
    const std::string whole = join_path(directory, path);
    std::filesystem::create_directories(std::filesystem::path(whole).parent_path());
    write_file(whole, text);
  }
  Settings settings(const std::string& timeout) const {
    return Settings({{{"environmentpath", directory}, {"environment_timeout", timeout}}, "server"});
  }

  std::string directory;
};

std::string catalog(Service& service, std::string_view environment = {}) {
  CatalogRequest request;
  request.node.name = "web01";
  request.node.environment = environment;
  const CatalogAnswer answer = compile_catalog(service, request);
  return answer.failure ? answer.failure->message : answer.json;
}

bool has(const std::string& text, std::string_view title) {
  return text.find("\"title\":\"" + std::string(title) + "\"") != std::string::npos;
}

CatalogAnswer with_limits(Service& service, const RequestLimits& limits) {
  CatalogRequest request;
  request.node.name = "web01";
  request.node.limits = limits;
  return compile_catalog(service, request);
}

Service service_of(std::string code) {
  Sources sources;
  sources.code = std::move(code);
  return {Settings({{{"basemodulepath", "/usr/share/puppet/modules"}}, "server"}),
          {},
          std::move(sources)};
}

}  // namespace

TEST_CASE("A generation follows its files when environment_timeout is 0") {
  const Site site;
  Service service(site.settings("0"), {}, {}, Refresh::kByTimeout);
  CHECK(has(catalog(service), "one"));
  CHECK(has(catalog(service, "other"), "other"));
  const auto first = service.generation({}, nullptr), other = service.generation("other", nullptr);
  CHECK(service.generation({}, nullptr) == first);

  SUBCASE("a file that changes") {
    site.write("production/modules/app/manifests/init.pp", "class app { notify { 'two': } }");
  }
  SUBCASE("a file of Ruby that may have been required") {
    site.write("production/modules/app/lib/app/helper.rb", "module Helper; end");
  }
  SUBCASE("a module that comes") {
    site.write("production/modules/web/manifests/init.pp", "class web { }");
  }
  const auto second = service.generation({}, nullptr);
  CHECK(second != first);
  CHECK(second->ruby().generation != first->ruby().generation);
  CHECK(service.generation("other", nullptr) == other);
}

TEST_CASE("What changes is in the next catalog, and the older one stays with its users") {
  const Site site;
  Service service(site.settings("0"), {}, {}, Refresh::kByTimeout);
  CHECK(has(catalog(service), "one"));
  const std::weak_ptr<Generation> first = service.generation({}, nullptr);
  auto user = first.lock();
  site.write("production/modules/app/manifests/init.pp", "class app { notify { 'two': } }");
  CHECK(has(catalog(service), "two"));
  CHECK(!first.expired());
  user.reset();
  CHECK(first.expired());
}

TEST_CASE("An unlimited generation goes only when it is flushed") {
  const Site site;
  Service service(site.settings("unlimited"), {}, {}, Refresh::kByTimeout);
  CHECK(has(catalog(service), "one"));
  site.write("production/modules/app/manifests/init.pp", "class app { notify { 'two': } }");
  CHECK(has(catalog(service), "one"));
  service.flush("other");
  CHECK(has(catalog(service), "one"));
  service.flush("production");
  CHECK(has(catalog(service), "two"));
  site.write("production/modules/app/manifests/init.pp", "class app { notify { 'three': } }");
  service.flush_all();
  CHECK(has(catalog(service), "three"));
}

TEST_CASE("A compilation over its time ends with an error of its own") {
  Service service = service_of("Integer[1, 9223372036854775806].each |$x| { $x * 2 }");
  RequestLimits limits;
  limits.timeout = std::chrono::milliseconds(50);
  const CatalogAnswer answer = with_limits(service, limits);
  REQUIRE(answer.failure);
  CHECK(answer.failure->limit == Limit::kTime);
  CHECK(answer.failure->message.find("within 0.05 seconds") != std::string::npos);
  CHECK(answer.seconds < 20);
}

TEST_CASE("A compilation over its memory ends, and the next one goes on") {
  Service service = service_of(
      "if $facts['bomb'] { $all = range(1, 3000000).map |$x| { \"a longer value ${x}\" } }");
  RequestLimits limits;
  limits.memory = size_t{16} << 20;
  CatalogRequest request;
  request.node.name = "web01";
  request.node.limits = limits;
  const Document facts{R"({"bomb": true})", "facts"};
  request.node.facts = document_facts(facts);
  const CatalogAnswer answer = compile_catalog(service, request);
  REQUIRE(answer.failure);
  CHECK(answer.failure->limit == Limit::kMemory);
  CHECK(!with_limits(service, limits).failure);
}

TEST_CASE("A compilation that is wanted no longer ends") {
  Service service = service_of("Integer[1, 9223372036854775806].each |$x| { $x * 2 }");
  RequestLimits limits;
  limits.is_cancelled = std::make_shared<std::atomic<bool>>(true);
  const CatalogAnswer answer = with_limits(service, limits);
  REQUIRE(answer.failure);
  CHECK(answer.failure->limit == Limit::kCancelled);
}
