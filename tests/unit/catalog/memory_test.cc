#include <doctest/doctest.h>
#include <malloc.h>

#include "compilation/compilation.h"

using namespace bunraku;
using namespace bunraku::compilation;

namespace {

constexpr const char* kCode = R"(
define app($number) {
  file { "/srv/${title}": content => inline_epp('<%= $x %>', { 'x' => $number }) }
  @notify { "virtual ${title}": tag => 'mine' }
}
range(1, 20).each |$number| { app { "app${number}": number => $number } }
Notify <| tag == 'mine' |> { message => regsubst('a.b', '[.]', '-') }
App <| |> -> notify { 'last': }
create_resources('notify', { 'created' => { 'message' => { 'a' => [1, 2.5, undef] } } })
)";

size_t bytes_in_use() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

void compile(Service& service) {
  NodeInput node;
  node.name = "node.example.com";
  Compilation compilation(service, node, nullptr);
  compilation.compiler().compile();
  REQUIRE(compilation.compiler().catalog().resources().size() > 60);
}

}  // namespace

TEST_CASE("A process that compiles again and again keeps nothing") {
  Sources sources;
  sources.code = kCode;
  Service service(Settings({{{"basemodulepath", "/usr/share/puppet/modules"}}, "server"}), {},
                  sources);
  // The first ones fill caches that live as long as the process.
  for (int i = 0; i < 5; ++i) compile(service);
  const size_t before = bytes_in_use();
  for (int i = 0; i < 200; ++i) compile(service);
  CHECK(bytes_in_use() <= before + 4096);
}
