// Checks that a process that compiles ever new nodes keeps no memory of them.
//
//   long_life_bench [NODES]
//
// Compiles NODES nodes (default 100,000), each with facts, titles, tags, patterns and templates of
// its own, and prints the process's memory at intervals. The exit code is 1 when it is over 5 %
// larger at the end than after the first 1,000.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "base/memory/data_names.h"
#include "compilation/catalog_compilation.h"

namespace {

using namespace bunraku;
using namespace bunraku::compilation;

constexpr const char* kCode = R"(
define app($role) {
  file { "/srv/${title}": content => inline_epp("<%- | \$x | -%>${title} <%= \$x %>", { 'x' => $role }) }
  @notify { "virtual ${title}": tag => "tag_${title}" }
}
$own = $facts['number']
app { "app_${own}_a": role => 'web' }
app { "app_${own}_b": role => $facts['role'] }
Notify <| tag == "tag_app_${own}_a" |> { message => regsubst("a${own}b", "${own}", '-') }
if "x${own}" =~ Regexp["^x${own}$"] { notify { "found_${own}": } }
create_resources('notify', { "created_${own}" => { 'message' => getvar("fact_${own}") } })
notify { inline_template("<%= 'erb ${own}' %>"): }
tag("seen_${own}")
)";

// In the system's unit, pages.
size_t resident_bytes() {
  size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

bool compile(Service& service, size_t number) {
  const std::string digits = std::to_string(number);
  const Document facts{"{\"number\": \"" + digits + "\", \"role\": \"role_" + digits +
                           "\", \"fact_" + digits + "\": \"value " + digits + "\"}",
                       "facts"};
  const std::string name = "node" + digits + ".example.com";
  CatalogRequest request;
  request.node.name = name;
  request.node.facts = document_facts(facts);
  const CatalogAnswer answer = compile_catalog(service, request);
  if (answer.failure) std::fprintf(stderr, "%s\n", answer.failure->message.c_str());
  return !answer.failure;
}

}  // namespace

int main(int count, char** words) {
  constexpr size_t kFirst = 1000;
  const size_t nodes = count > 1 ? std::strtoul(words[1], nullptr, 10) : 100'000;
  Sources sources;
  sources.code = kCode;
  Service service(Settings({{}, "server"}), {}, std::move(sources));
  size_t first = 0;
  for (size_t i = 1; i <= nodes; ++i) {
    if (!compile(service, i)) return 1;
    if (i == kFirst) first = resident_bytes();
    if (i == kFirst || i % 10'000 == 0 || i == nodes) {
      std::printf("%8zu nodes %12zu bytes %8zu names of data\n", i, resident_bytes(),
                  data_name_count());
      std::fflush(stdout);
    }
  }
  const size_t last = resident_bytes();
  if (first == 0 || last <= first + first / 20) return 0;
  std::printf("%zu bytes more than after the first %zu nodes\n", last - first, kFirst);
  return 1;
}
