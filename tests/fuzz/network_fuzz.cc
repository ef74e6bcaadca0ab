// Input: any bytes from the network: requests in parts of any size, answers, targets, parameters,
// certificates and requests for them, revocation lists, reports, rules.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/formats/data.h"
#include "base/formats/json.h"
#include "base/formats/msgpack.h"
#include "base/memory/arena.h"
#include "certificates/error.h"
#include "certificates/identifiers.h"
#include "certificates/objects.h"
#include "net/message_parser.h"
#include "net/url.h"
#include "server/api/report_yaml.h"
#include "server/authorization/rules.h"

using namespace bunraku;

namespace {

// The same message must be read alike as a whole and in parts.
std::string read_message(std::string_view bytes, size_t part, net::MessageParser::Side side) {
  net::MessageParser parser(side, {1024, 4096});
  std::string input;
  try {
    while (!bytes.empty() && !parser.is_done()) {
      input += bytes.substr(0, part);
      bytes.remove_prefix(std::min(part, bytes.size()));
      parser.put(input);
      // The parser stops once after the header.
      if (parser.has_header()) parser.put(input);
    }
    if (!parser.is_done()) parser.put_end();
    if (!parser.is_done()) return "not whole";
    if (side == net::MessageParser::Side::kRequest) {
      const net::Request request = parser.take_request();
      return request.method + " " + request.target + "\n" + request.body;
    }
    return std::to_string(parser.status()) + "\n" + parser.take_response().body;
  } catch (const net::BadMessage&) {
    return "refused";
  }
}

void read_messages(std::string_view bytes) {
  for (const auto side : {net::MessageParser::Side::kRequest, net::MessageParser::Side::kResponse,
                          net::MessageParser::Side::kResponseWithoutBody}) {
    const std::string whole = read_message(bytes, bytes.size() + 1, side);
    if (whole != read_message(bytes, 1, side)) std::abort();
  }
}

void read_target(std::string_view bytes) {
  try {
    const net::Target target = net::parse_target(bytes);
    if (target.path.find("/../") != std::string::npos || target.path.ends_with("/..")) std::abort();
    net::parse_parameters(target.query);
  } catch (const net::BadMessage&) {
  }
}

// Reads the bytes as PEM, and as the content of PEM.
void read_certificates(std::string_view bytes) {
  try {
    certificates::Request::from_pem(bytes).extensions();
  } catch (const certificates::CertificateError&) {
  }
  try {
    certificates::Certificate::from_der(bytes).common_name();
  } catch (const certificates::CertificateError&) {
  }
  try {
    for (const auto& one : certificates::Certificate::all_from_pem(bytes)) one.common_name();
    certificates::RevocationList::all_from_pem(bytes);
  } catch (const certificates::CertificateError&) {
  }
}

void read_report(std::string_view bytes, DataNode (*read)(std::string_view, Arena&)) {
  Arena arena;
  try {
    const DataNode report = read(bytes, arena);
    server::report_yaml(report);
    read_msgpack(arena.copy(write_msgpack(report)), arena);
  } catch (const DataError&) {
  }
}

void read_rules(std::string_view bytes) {
  try {
    server::Rules::parse(bytes, "auth.conf", certificates::Identifiers());
  } catch (const server::RuleError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_messages(bytes);
  read_target(bytes);
  read_certificates(bytes);
  read_report(bytes, read_json);
  read_report(bytes, read_msgpack);
  read_rules(bytes);
  return 0;
}
