// Measures how fast a store saves data of nodes and answers queries of dashboards. usage:
// store_bench URL [NODES] [THREADS] [--ask]. The store must be empty; with --ask it is one that the
// bench has filled before, and only the queries are run. Commands are submitted as by a server with
// a store, by THREADS threads, each of which waits until its command is on disk. Prints a line
// each: name, count, seconds, rate, seconds of processor time of all threads, megabytes written to
// disk; then the queries with their milliseconds, processor milliseconds (medians of seven), and
// the bytes of the answer.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/formats/json.h"
#include "base/text/digest.h"
#include "store/commands/command.h"
#include "store/http/api.h"
#include "store/time_text.h"

using namespace bunraku;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kResources = 100;
constexpr int64_t kDay = int64_t{24} * 3600 * 1'000'000;

double seconds_since(Clock::time_point begun) {
  return std::chrono::duration<double>(Clock::now() - begun).count();
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// The processor time of this thread, in milliseconds.
double processor_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

double written_megabytes() {
  std::ifstream file("/proc/self/io");
  std::string word;
  double bytes = 0;
  while (file >> word) {
    if (word == "write_bytes:") file >> bytes;
  }
  return bytes / 1e6;
}

std::string certname(int node) {
  return fmt::format("node{:05}.example.com", node);
}

// A UUID derived from the text, so that it is the same in each run.
std::string uuid(const std::string& of) {
  const std::string digest = digest_hex(DigestAlgorithm::kSha1, of);
  return fmt::format("{}-{}-4{}-8{}-{}", digest.substr(0, 8), digest.substr(8, 4),
                     digest.substr(12, 3), digest.substr(15, 3), digest.substr(18, 12));
}

void head(std::string& text, int node, int64_t time) {
  fmt::format_to(std::back_inserter(text),
                 R"("certname":"{}","environment":"{}","producer":"puppet.example.com",)"
                 R"("producer_timestamp":"{}",)",
                 certname(node), node % 10 == 0 ? "staging" : "production", store::time_text(time));
}

void resource(std::string& text, const std::string& type, const std::string& title, int role,
              bool is_exported, const std::string& parameters) {
  fmt::format_to(
      std::back_inserter(text),
      R"({}{{"type":"{}","title":"{}","exported":{},"file":)"
      R"("/etc/puppetlabs/code/environments/production/modules/role{}/manifests/init.pp",)"
      R"("line":{},"tags":["{}","class","role{}","role::part{}"],"parameters":{{{}}}}})",
      text.back() == '[' ? "" : ",", type, title, is_exported, role % 20, title.size() % 40 + 1,
      type == "File" ? "file" : "package", role % 20, role % 7, parameters);
}

// A tenth of the resources is unique to the node; `changed` of them differ from round to round.
std::string catalog_body(int node, int64_t time, int round, int changed) {
  std::string text;
  head(text, node, time);
  fmt::format_to(std::back_inserter(text),
                 R"("version":"{}","transaction_uuid":"{}","catalog_uuid":"{}","code_id":null,)"
                 R"("job_id":null,"resources":[)",
                 time / 1'000'000, uuid(fmt::format("t{}{}", node, time)),
                 uuid(fmt::format("c{}{}", node, time)));
  for (int i = 0; i < kResources - 1; ++i) {
    const int round_of = i < changed ? round : 0;
    if (i % 10 == 0) {
      resource(text, "File", fmt::format("/etc/service{}/node.conf", i), i, false,
               fmt::format(R"("ensure":"file","mode":"0644","owner":"root","content":"{} {} {}")",
                           certname(node), round_of, std::string(300, 'x')));
    } else if (i % 10 == 5) {
      resource(text, "Class", fmt::format("Role{}::Part{}", i, node % 5), i, false, R"("port":80)");
    } else {
      resource(text, i % 2 == 0 ? "Package" : "File",
               fmt::format("{}shared{}", i % 2 == 0 ? "" : "/etc/", i), i, false,
               fmt::format(R"("ensure":"present","mode":"0644","group":"root","n":{})", i));
    }
  }
  resource(
      text, "Sshkey", certname(node), node, true,
      fmt::format(R"("ensure":"present","type":"ssh-ed25519","key":"{}","host_aliases":["{}"])",
                  uuid(certname(node)), node));
  text += R"(],"edges":[)";
  for (int i = 0; i < kResources - 1; ++i) {
    if (i % 10 != 5) continue;
    for (int j = i + 1; j < std::min(i + 5, kResources - 1); ++j) {
      if (j % 10 == 0 || j % 10 == 5) continue;
      fmt::format_to(
          std::back_inserter(text),
          R"({}{{"source":{{"type":"Class","title":"Role{}::Part{}"}},"target":{{"type":"{}","title":)"
          R"("{}shared{}"}},"relationship":"contains"}})",
          text.back() == '[' ? "" : ",", i, node % 5, j % 2 == 0 ? "Package" : "File",
          j % 2 == 0 ? "" : "/etc/", j);
    }
  }
  text += "]}";
  return text;
}

std::string facts_body(int node, int64_t time, int round) {
  std::string text;
  head(text, node, time);
  text += R"("values":{)";
  for (int i = 0; i < 110; ++i) {
    fmt::format_to(std::back_inserter(text), R"("fact{}":"value {} {}",)", i, i,
                   i % 11 == 0 ? node : 0);
  }
  fmt::format_to(
      std::back_inserter(text),
      R"("kernel":"Linux","hostname":"node{:05}","is_virtual":true,"processors":{{"count":{}}},)"
      R"("uptime_seconds":{},"os":{{"family":"{}","name":"Debian","release":{{"full":"12.{}",)"
      R"("major":"12"}}}},"networking":{{"ip":"10.0.{}.{}","interfaces":{{"eth0":{{"mtu":1500,)"
      R"("bindings":[{{"address":"10.0.0.1"}}]}}}}}},"role":"role{}"}}}})",
      node, node % 8 + 1, 1000 + round, node % 3 == 0 ? "RedHat" : "Debian", node % 9, node / 250,
      node % 250, node % 20);
  return text;
}

std::string report_body(int node, int64_t time, int events) {
  std::string text;
  head(text, node, time);
  fmt::format_to(
      std::back_inserter(text),
      R"("puppet_version":"8.10.0","report_format":12,"configuration_version":"{}",)"
      R"("start_time":"{}","end_time":"{}","transaction_uuid":"{}","catalog_uuid":"{}",)"
      R"("status":"{}","noop":false,"noop_pending":false,"corrective_change":false,"code_id":null,)"
      R"("job_id":null,"cached_catalog_status":"not_used","type":"agent","logs":[{{"file":null,)"
      R"("line":null,"level":"notice","message":"Applied catalog in 3.20 seconds","source":"Puppet",)"
      R"("tags":["notice"],"time":"{}"}}],"metrics":[)",
      time / 1'000'000, store::time_text(time), store::time_text(time + 3'000'000),
      uuid(fmt::format("t{}{}", node, time)), uuid(fmt::format("c{}{}", node, time)),
      events == 0      ? "unchanged"
      : node % 25 == 0 ? "failed"
                       : "changed",
      store::time_text(time));
  for (int i = 0; i < 40; ++i) {
    fmt::format_to(std::back_inserter(text),
                   R"({}{{"category":"time","name":"type{}","value":{}}})", i == 0 ? "" : ",", i,
                   i * 0.125);
  }
  text += R"(],"resources":[)";
  for (int i = 0; i < events; ++i) {
    fmt::format_to(
        std::back_inserter(text),
        R"({}{{"skipped":false,"timestamp":"{}","resource_type":"File","resource_title":)"
        R"("/etc/shared{}","file":"/etc/puppetlabs/code/x.pp","line":{},"containment_path":)"
        R"(["Stage[main]","Role{}","File[/etc/shared{}]"],"corrective_change":false,"events":[)"
        R"({{"status":"{}","timestamp":"{}","property":"ensure","name":"file_created","new_value":)"
        R"("file","old_value":"absent","message":"created","corrective_change":false}}]}})",
        i == 0 ? "" : ",", store::time_text(time), i, i + 1, i % 20, i,
        node % 25 == 0 && i == 0 ? "failure" : "success", store::time_text(time));
  }
  text += "]}";
  return text;
}

class Bench {
 public:
  Bench(const std::string& url, int nodes, int threads)
      : store_(url), nodes_(nodes), threads_(threads) {}

  // Makes the commands of a node for one of `count` jobs.
  using Maker = std::function<std::vector<store::Command>(int)>;
  void submit(const std::string& what, int count, const Maker& make) {
    // Commands are made in advance, in parts, because making them is not the store's work.
    double spent = 0, computed = 0, written = 0;
    constexpr int kPart = 2000;
    for (int first = 0; first < count; first += kPart) {
      std::vector<std::vector<store::Command>> made;
      for (int i = first; i < std::min(first + kPart, count); ++i) made.push_back(make(i));
      const auto begun = Clock::now();
      const double computed_before = processor_seconds(), written_before = written_megabytes();
      std::atomic<size_t> next{0};
      std::vector<std::thread> threads;
      for (int i = 0; i < threads_; ++i) {
        threads.emplace_back([&] {
          for (size_t at = next++; at < made.size(); at = next++) {
            for (const store::Command& command : made[at]) store::store_command(store_, command);
          }
        });
      }
      for (std::thread& thread : threads) thread.join();
      spent += seconds_since(begun);
      computed += processor_seconds() - computed_before;
      written += written_megabytes() - written_before;
    }
    fmt::print("{:44} {:7} in {:7.2f} s {:8.0f} a second {:7.2f} s of processor {:7.1f} MB\n", what,
               count, spent, static_cast<double>(count) / spent, computed, written);
    std::fflush(stdout);
  }

  void ask(const std::string& what, const std::string& target, const std::string& body) {
    store::Api api(store_, {});
    net::Request request;
    request.method = body.empty() ? "GET" : "POST";
    request.target = "/pdb/query/v4" + target;
    request.fields.add("Content-Type", "application/json");
    request.body = body;
    std::vector<double> times, computed;
    size_t bytes = 0;
    int status = 0;
    for (int i = 0; i < 7; ++i) {
      const auto begun = Clock::now();
      const double computed_before = processor_milliseconds();
      const net::Response response = api.answer(request, store::Access::all());
      times.push_back(seconds_since(begun) * 1000);
      computed.push_back(processor_milliseconds() - computed_before);
      bytes = response.body.size();
      status = response.status;
    }
    std::ranges::sort(times);
    std::ranges::sort(computed);
    fmt::print("{:48} {:9.2f} ms {:9.2f} of processor {:10} bytes{}\n", what,
               times[times.size() / 2], computed[computed.size() / 2], bytes,
               status == 200 ? "" : fmt::format(" STATUS {}", status));
    std::fflush(stdout);
  }

  void run();
  void ask_dashboards();

 private:
  static store::Command command(const char* name, int64_t version, int node, std::string body) {
    store::Command made;
    made.name = name;
    made.version = version;
    made.certname = certname(node);
    made.body = "{" + std::move(body);
    made.received = store::now_microseconds();
    return made;
  }
  store::Command catalog(int node, int round, int changed) {
    const int64_t time = store::now_microseconds();
    return command("replace catalog", 9, node, catalog_body(node, time, round, changed));
  }
  store::Command facts(int node, int round) {
    const int64_t time = store::now_microseconds();
    return command("replace facts", 5, node, facts_body(node, time, round));
  }

  store::Store store_;
  int nodes_, threads_;
};

void Bench::run() {
  fmt::print(
      "{} nodes of {} resources, {} threads; a catalog has {} bytes, facts {}, a report {}\n",
      nodes_, kResources, threads_, catalog(1, 0, 0).body.size(), facts(1, 0).body.size(),
      report_body(1, 0, 20).size());
  submit("new: facts and catalog", nodes_,
         [&](int i) { return std::vector{facts(i, 0), catalog(i, 0, 0)}; });
  submit("unchanged, after a start", nodes_,
         [&](int i) { return std::vector{facts(i, 0), catalog(i, 0, 0)}; });
  submit("unchanged: facts and catalog", nodes_,
         [&](int i) { return std::vector{facts(i, 0), catalog(i, 0, 0)}; });
  submit("one fact of 118 and one resource changed", nodes_,
         [&](int i) { return std::vector{facts(i, 1), catalog(i, 1, 1)}; });
  const int64_t now = store::now_microseconds();
  submit("reports of 20 events", nodes_, [&](int i) {
    return std::vector{command("store report", 8, i, report_body(i, now - kDay + i * 1000, 20))};
  });
  submit("reports without events", nodes_ * 2, [&](int i) {
    return std::vector{command("store report", 8, i % nodes_,
                               report_body(i % nodes_, now - kDay / 2 + i * 1000, 0))};
  });
  ask_dashboards();
}

void Bench::ask_dashboards() {
  const std::string node = certname(nodes_ / 2);
  const int64_t now = store::now_microseconds();
  const auto body = [](const std::string& query, const std::string& rest = {}) {
    return fmt::format("{{\"query\":{}{}}}", query, rest);
  };
  ask("collect all exported of a type", "/resources",
      body(fmt::format(
          R"(["extract",["certname","title","parameters"],["and",["=","type","Sshkey"],["=","exported",true],["not",["=","certname","{}"]]]])",
          node)));
  ask("collect by tag", "/resources",
      body(fmt::format(
          R"(["and",["=","type","Sshkey"],["=","exported",true],["not",["=","certname","{}"]],["=","tag","role3"]])",
          node)));
  ask("collect by a parameter", "/resources",
      body(fmt::format(
          R"(["and",["=","type","Sshkey"],["=","exported",true],["not",["=","certname","{}"]],["=",["parameter","key"],"{}"]])",
          node, uuid(certname(7)))));
  ask("overview: nodes of an environment", "/nodes",
      body(R"(["=","catalog_environment","staging"])"));
  ask("overview: all nodes", "/nodes", body(R"(["=","catalog_environment","production"])"));
  ask("overview: count of nodes", "/nodes",
      body(R"(["extract",[["function","count"]],["=","catalog_environment","production"]])"));
  ask("overview: count of resources", "/resources",
      body(R"(["extract",[["function","count"]],["=","environment","production"]])"));
  ask("overview: events of the latest reports", "/event-counts",
      body(R"(["=","latest_report?",true])", R"(,"summarize_by":"certname")"));
  ask("daily chart: a day of reports", "/reports",
      body(fmt::format(
          R"(["extract",[["function","count"],"status"],["and",[">=","producer_timestamp","{}"],["<","producer_timestamp","{}"],["=","environment","production"]],["group_by","status"]])",
          store::time_text(now - kDay), store::time_text(now))));
  ask("reports: first page", "/reports",
      R"({"limit":20,"order_by":[{"field":"end_time","order":"desc"}],"include_total":true})");
  ask("reports: first page without bodies", "/reports",
      R"({"query":["extract",["certname","hash","status","end_time"]],"limit":20,"order_by":[{"field":"end_time","order":"desc"}],"include_total":true})");
  ask("nodes: failed", "/nodes", body(R"(["=","latest_report_status","failed"])"));
  ask("nodes: first page", "/nodes",
      R"({"limit":20,"order_by":[{"field":"certname","order":"asc"}],"include_total":true})");
  ask("node", "/nodes/" + node, "");
  ask("node: its facts", "/nodes/" + node + "/facts", "");
  ask("node: its resources", "/nodes/" + node + "/resources", "");
  ask("node: its reports", "/reports",
      body(fmt::format(R"(["=","certname","{}"])", node),
           R"(,"limit":10,"order_by":[{"field":"end_time","order":"desc"}])"));
  ask("node: its catalog", "/catalogs/" + node, "");
  ask("node: events of its reports", "/events",
      body(fmt::format(R"(["=","certname","{}"])", node)));
  ask("fact names", "/fact-names", "");
  ask("a fact of all nodes", "/facts/kernel", "");
  ask("a fact with a value", "/facts/fact0/value%200%2077", "");
  ask("inventory: a path", "/inventory",
      body(
          R"(["extract",["certname"],["and",["=","facts.os.family","RedHat"],["=","facts.role","role3"]]])"));
  ask("inventory: counted by a path", "/inventory",
      body(
          R"(["extract",["facts.os.family",["function","count"]],["~","certname","."],["group_by","facts.os.family"]])"));
  ask("nodes with a class", "/nodes",
      body(
          R"(["extract",["certname"],["in","certname",["extract","certname",["select_resources",["and",["=","type","Class"],["=","title","Role15::Part2"]]]]]])"));
  ask("a class of all nodes", "/resources",
      body(
          R"(["extract",["certname"],["and",["=","type","Class"],["=","title","Role15::Part2"]]])"));
  ask("resources by a parameter", "/resources",
      body(
          R"(["extract",["certname"],["and",["=","type","File"],["=","title","/etc/service10/node.conf"],["~","parameters.content","node0007[0-9]"]]])"));
  ask("environments", "/environments", "");
  ask("the newest events that failed", "/events",
      R"({"query":["=","status","failure"],"limit":20,"order_by":[{"field":"timestamp","order":"desc"}]})");
}

}  // namespace

int main(int count, char** words) {
  if (count < 2) {
    fmt::print(stderr, "usage: store_bench URL [NODES] [THREADS] [--ask]\n");
    return 2;
  }
  try {
    Bench bench(words[1], count > 2 ? std::atoi(words[2]) : 10'000,
                count > 3 ? std::atoi(words[3]) : 32);
    if (count > 4 && std::string_view(words[4]) == "--ask") {
      bench.ask_dashboards();
    } else {
      bench.run();
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "store_bench: {}\n", error.what());
    return 1;
  }
  return 0;
}
