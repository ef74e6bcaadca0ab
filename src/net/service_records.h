// The servers of a service by DNS: SRV records (RFC 2782).
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku::net {

struct ServiceRecord {
  uint16_t priority = 0;  // lower ones are tried first
  uint16_t weight = 0;    // among records of the same priority
  uint16_t port = 0;
  std::string target;  // the host, without a trailing dot
};

// Returns the records of a name such as "_x-puppet._tcp.example.com", in the order of use. Queries
// the servers of /etc/resolv.conf and waits; without a valid answer there are no records.
std::vector<ServiceRecord> find_service_records(const std::string& name);

// --- parts, for tests ---
// --- its parts ---

// Parses a DNS message. The root as the target means that the service does not exist; such records
// and unreadable ones are omitted. Never throws.
std::vector<ServiceRecord> parse_service_records(std::string_view message);

// Sorts by priority; within one priority at random, weighted.
void order_service_records(std::vector<ServiceRecord>& records, std::mt19937& random);

}  // namespace bunraku::net
