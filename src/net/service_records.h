// Servers that the DNS names for a service: SRV records (RFC 2782).
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku::net {

struct ServiceRecord {
  uint16_t priority = 0;  // lower ones first
  uint16_t weight = 0;    // among those of one priority
  uint16_t port = 0;
  std::string target;  // the host, without a dot at its end
};

// The records of a name such as "_x-puppet._tcp.example.com", in the order in which they are to be
// tried. Asks the servers of /etc/resolv.conf and waits for their answer; without one, or with one
// that is broken, there are no records.
std::vector<ServiceRecord> find_service_records(const std::string& name);

// --- its parts ---

// The records of a DNS message. A target that is the root means that there is no such service, and
// is left out. Throws nothing: what cannot be read is left out, too.
std::vector<ServiceRecord> parse_service_records(std::string_view message);

// By priority; within one priority at random, in proportion to the weights.
void order_service_records(std::vector<ServiceRecord>& records, std::mt19937& random);

}  // namespace bunraku::net
