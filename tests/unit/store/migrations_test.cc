// Migration of older stores to the newest schema.
#include "store/schema/migrations.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "store/lifecycle/check.h"
#include "store/query/answer.h"
#include "store/store.h"

using namespace bunraku::store;

namespace {

// A database file, removed at the end.
class StoreFile {
 public:
  explicit StoreFile(const std::string& name)
      : path_("/tmp/bunraku-migrations-" + std::to_string(::getpid()) + "-" + name + ".db") {
    remove();
  }
  ~StoreFile() { remove(); }
  StoreFile(const StoreFile&) = delete;
  StoreFile& operator=(const StoreFile&) = delete;
  std::string url() const { return "sqlite:" + path_; }

 private:
  void remove() const {
    for (const char* end : {"", "-wal", "-shm"}) std::remove((path_ + end).c_str());
  }
  std::string path_;
};

std::string answer(Store& store, std::string_view query) {
  return answer_query(store, compile_text_query(query, {}), false, {}).json;
}

// Two nodes that share one resource.
constexpr const char* kRowsOfVersion1 = R"sql(
INSERT INTO environment(id, name) VALUES (1, 'production');
INSERT INTO node(id, certname) VALUES (1, 'a'), (2, 'b');
INSERT INTO catalog(node_id, hash, version, environment_id, producer_timestamp, timestamp,
                    resource_count, edges)
  VALUES (1, 'h1', '7', 1, 10, 20, 2,
          bk_pack('[["before","File","/x","Notify","only"]]')),
         (2, 'h2', '8', 1, 10, 20, 1, bk_pack('[]'));
INSERT INTO resource_parameters(identity, parameters)
  VALUES ('i1', '{"ensure":"file"}'), ('i2', '{"message":1.50}'), ('unused', '{}');
INSERT INTO tag_set(id, hash, tags) VALUES (5, 't5', '["file"]'), (6, 't6', '["notify"]');
INSERT INTO file(id, name) VALUES (3, '/site.pp');
INSERT INTO resource(node_id, type, title, identity, tag_set_id, exported, file_id, line)
  VALUES (1, 'File', '/x', 'i1', 5, false, 3, 12),
         (1, 'Notify', 'only', 'i2', 6, true, NULL, NULL),
         (2, 'File', '/x', 'i1', 5, false, 3, 12);
)sql";

}  // namespace

TEST_CASE("a store of each older version is brought to the newest, with what is in it") {
  for (int64_t from = 1; from < newest_schema(); ++from) {
    CAPTURE(from);
    const StoreFile file("old" + std::to_string(from));
    {
      const auto connection = open_connection(parse_database_url(file.url()));
      CHECK(migrate(*connection, 1) == 1);
      connection->script(kRowsOfVersion1);
      CHECK(migrate(*connection, from) == from - 1);
      CHECK(schema_version(*connection) == from);
    }
    Store store(file.url());
    CHECK(answer(store,
                 "resources[certname, type, title, tags, exported, file, line, parameters, "
                 "resource] { order by certname, type }") ==
          R"([{"certname":"a","type":"File","title":"/x","tags":["file"],"exported":false,)"
          R"("file":"/site.pp","line":12,"parameters":{"ensure":"file"},"resource":"i1"},)"
          R"({"certname":"a","type":"Notify","title":"only","tags":["notify"],"exported":true,)"
          R"("file":null,"line":null,"parameters":{"message":1.50},"resource":"i2"},)"
          R"({"certname":"b","type":"File","title":"/x","tags":["file"],"exported":false,)"
          R"("file":"/site.pp","line":12,"parameters":{"ensure":"file"},"resource":"i1"}])");
    CHECK(
        answer(store, "edges[certname, source_title, target_title, relationship] { }") ==
        R"([{"certname":"a","source_title":"/x","target_title":"only","relationship":"before"}])");
    CHECK(check_store(store).empty());
    const auto connection = open_connection(parse_database_url(file.url()));
    CHECK(migrate(*connection) == 0);
  }
}

TEST_CASE("a store that a newer program has written is refused") {
  const StoreFile file("newer");
  {
    const auto connection = open_connection(parse_database_url(file.url()));
    migrate(*connection);
    connection->run("INSERT INTO schema_version(version, time) VALUES ($1, 0)",
                    {newest_schema() + 1});
  }
  CHECK_THROWS_AS(Store{file.url()}, const StoreError&);
}
