// The file bucket: contents by their checksum.
#include <fmt/format.h>

#include <algorithm>

#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "base/system/process.h"
#include "base/text/digest.h"
#include "server/api/routes.h"
#include "server/shared.h"

namespace bunraku::server {
namespace {

struct BucketKey {
  std::string type;
  std::string sum;
  std::string path;  // the path on its host, without the leading slash; may be empty
};

DigestAlgorithm algorithm_of(const std::string& type) {
  if (type == "md5") return DigestAlgorithm::kMd5;
  if (type == "sha1") return DigestAlgorithm::kSha1;
  if (type == "sha224") return DigestAlgorithm::kSha224;
  if (type == "sha384") return DigestAlgorithm::kSha384;
  if (type == "sha512") return DigestAlgorithm::kSha512;
  return DigestAlgorithm::kSha256;
}

BucketKey parse_key(const Call& call, const std::string& key) {
  const size_t first = key.find('/');
  const size_t second = first == std::string::npos ? first : key.find('/', first + 1);
  BucketKey parsed;
  parsed.type = key.substr(0, first);
  if (first != std::string::npos) parsed.sum = key.substr(first + 1, second - first - 1);
  if (second != std::string::npos) parsed.path = key.substr(second + 1);
  const std::string known = call.site.configuration.settings.text("digest_algorithm");
  if (parsed.type != known) {
    throw ApiError(500, fmt::format("Unsupported checksum type \"{}\"", parsed.type));
  }
  const size_t length = digest_hex(algorithm_of(parsed.type), "").size();
  const bool is_sum = parsed.sum.size() == length &&
                      parsed.sum.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!is_sum) {
    throw ApiError(500, first == std::string::npos
                            ? "Invalid checksum nil"
                            : fmt::format("Invalid checksum \"{}\"", printable(parsed.sum)));
  }
  if (parsed.path.find('\n') != std::string::npos) throw ApiError(400, "A line feed in the path");
  return parsed;
}

// The directory for contents, which depends on their sum only.
std::string directory_of(const Call& call, const std::string& sum) {
  std::string path = call.site.configuration.settings.text("bucketdir");
  for (size_t i = 0; i < 8; ++i) path = join_path(path, sum.substr(i, 1));
  return join_path(path, sum);
}

bool has_line(const std::string& text, const std::string& line) {
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (text.compare(begin, end - begin, line) == 0) return true;
    begin = end + 1;
  }
  return false;
}

bool is_stored(const std::string& directory, const std::string& path) {
  if (!is_file(join_path(directory, "contents"))) return false;
  const std::string paths = join_path(directory, "paths");
  return path.empty() || (is_file(paths) && has_line(read_file(paths), path));
}

net::Response store(const Call& call, const BucketKey& key) {
  check_content_type(call.request, {"application/octet-stream"});
  const std::string& contents = call.request.body;
  if (digest_hex(algorithm_of(key.type), contents) != key.sum) {
    throw ApiError(400, "The contents do not have the checksum that is asked for");
  }
  const std::string directory = directory_of(call, key.sum);
  const std::string file = join_path(directory, "contents");
  try {
    create_directory(directory);
    if (!is_file(file)) {
      write_file(file, contents, 0440);
    } else if (read_file(file) != contents) {
      throw ApiError(500, fmt::format("Got passed new contents for sum {}", key.sum));
    }
    const std::string paths = join_path(directory, "paths");
    const std::string known = is_file(paths) ? read_file(paths) : std::string();
    if (!key.path.empty() && !has_line(known, key.path)) {
      write_file(paths, known + key.path + "\n", 0640);
    } else if (!is_file(paths)) {
      write_file(paths, "", 0640);
    }
  } catch (const FileError& error) {
    throw ApiError(500, error.what());
  }
  return answer_of(200, "application/octet-stream", "");
}

// The unified difference of two contents; empty when they are equal.
std::string difference(const Call& call, const std::string& file, const std::string& other) {
  const bool is_sum = other.find_first_not_of("0123456789abcdef") == std::string::npos;
  const std::string other_file =
      is_sum && other.size() > 8 ? join_path(directory_of(call, other), "contents") : "";
  if (other_file.empty() || !is_file(other_file)) {
    throw ApiError(404, fmt::format("could not find diff_with {}", printable(other)),
                   "RESOURCE_NOT_FOUND");
  }
  ProcessCall process;
  process.start.words = {"diff", "-u", "--", file, other_file};
  const ProcessResult result = run_process(process);
  // 0: equal, 1: different
  if (result.outcome != ProcessOutcome::kEnded || result.end.shell_status() > 1) {
    throw ApiError(500,
                   fmt::format("The files cannot be compared: {}{}", result.reason, result.errors));
  }
  return result.output;
}

}  // namespace

net::Response answer_bucket(const Call& call, const std::string& key) {
  const std::string& environment = environment_parameter(call);
  if (!call.shared.code->has_environment(environment)) {
    throw ApiError(404, fmt::format("Could not find environment '{}'", environment));
  }
  const BucketKey parsed = parse_key(call, key);
  if (call.request.method == "PUT") return store(call, parsed);
  negotiate(call.request, {"application/octet-stream"});
  if (call.is_true("list_all")) throw ApiError(500, "Listing remote file buckets is not allowed");
  const std::string directory = directory_of(call, parsed.sum);
  if (!is_stored(directory, parsed.path)) {
    throw ApiError(404, "Could not find file_bucket_file " + key, "RESOURCE_NOT_FOUND");
  }
  const std::string file = join_path(directory, "contents");
  const std::string* other = call.parameter("diff_with");
  return answer_of(200, "application/octet-stream",
                   other == nullptr ? read_file(file) : difference(call, file, *other));
}

}  // namespace bunraku::server
