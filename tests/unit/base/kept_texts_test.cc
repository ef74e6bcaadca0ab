#include "base/system/kept_texts.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "base/system/file_system.h"
#include "base/system/file_writer.h"
#include "base/system/temporary_directory.h"

using namespace bunraku;

namespace {

// A file whose stamp is settled cannot be made within a short test, for the time of its last change
// cannot be set back. These stamps are those of old system files.
const std::string kOldFile = "/etc/debian_version";
const std::string kMissing = "/etc/there/is/none";

std::string text_in(KeptTexts& texts, const std::string& path) {
  const auto found = texts.find(path);
  return found ? std::string(found->text) : "none";
}

// A file of texts with one line.
void write_line(const std::string& file, const FileStamp& stamp, const std::string& path,
                const std::string& text, mode_t mode = 0600) {
  const std::string line = std::to_string(stamp.size) + ' ' + std::to_string(stamp.inode) + ' ' +
                           std::to_string(stamp.modified) + ' ' + std::to_string(stamp.changed) +
                           ' ' + path + '\t' + text + '\n';
  create_private_directory(std::string(parent_directory(file)));
  write_file(file, "bunraku kept texts 1\n" + line, NewFile{.mode = mode});
}

}  // namespace

TEST_CASE("kept texts: another process finds the text of an unchanged version") {
  const TemporaryDirectory directory("kept-texts");
  const std::string file = directory.path() + "/bunraku/modules/texts.txt";
  const FileStamp stamp = file_stamp(kOldFile);
  REQUIRE(is_settled(stamp));
  {
    KeptTexts texts(file);
    CHECK(text_in(texts, kOldFile) == "none");
    texts.keep(kOldFile, stamp, "a\ttext");
    CHECK(text_in(texts, kOldFile) == "a\ttext");
    texts.keep(kMissing, FileStamp(), "");
    texts.save();
  }
  struct stat status;
  REQUIRE(stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  KeptTexts texts(file);
  CHECK(text_in(texts, kOldFile) == "a\ttext");
  CHECK(texts.find(kOldFile)->exists);
  REQUIRE(texts.find(kMissing));
  CHECK_FALSE(texts.find(kMissing)->exists);
}

TEST_CASE("kept texts: not of another version, nor of one that is too new") {
  const TemporaryDirectory directory("kept-texts");
  const std::string file = directory.path() + "/bunraku/modules/texts.txt",
                    path = directory.path() + "/source";
  write_file(path, "new");
  {
    KeptTexts texts(file);
    texts.keep(path, file_stamp(path), "too new");
    CHECK(text_in(texts, path) == "none");
    texts.save();
    CHECK_FALSE(exists(file));
  }
  for (uint64_t FileStamp::* const part : {&FileStamp::size, &FileStamp::inode}) {
    FileStamp other = file_stamp(kOldFile);
    other.*part += 1;
    write_line(file, other, kOldFile, "older");
    KeptTexts texts(file);
    CHECK(text_in(texts, kOldFile) == "none");
    texts.keep(kOldFile, file_stamp(kOldFile), "current");
    CHECK(text_in(texts, kOldFile) == "current");
  }
  write_line(file, FileStamp(), path, "was missing");
  KeptTexts texts(file);
  CHECK(text_in(texts, path) == "none");
}

TEST_CASE("kept texts: outdated ones are left out when new ones are saved") {
  const TemporaryDirectory directory("kept-texts");
  const std::string file = directory.path() + "/bunraku/modules/texts.txt";
  write_line(file, FileStamp{1, 2, 3, 4}, "/outdated", "outdated");
  KeptTexts texts(file);
  texts.keep(kOldFile, file_stamp(kOldFile), "current");
  texts.save();
  const std::string saved = read_file(file);
  CHECK(saved.find("outdated") == std::string::npos);
  CHECK(saved.find("current") != std::string::npos);
}

TEST_CASE("kept texts: a file that others can write, or of another form, is not used") {
  const TemporaryDirectory directory("kept-texts");
  const std::string file = directory.path() + "/bunraku/modules/texts.txt";
  const FileStamp stamp = file_stamp(kOldFile);
  write_line(file, stamp, kOldFile, "text");
  {
    KeptTexts texts(file);
    CHECK(text_in(texts, kOldFile) == "text");
  }
  const std::string line = read_file(file);
  write_line(file, stamp, kOldFile, "text", 0666);
  {
    KeptTexts texts(file);
    CHECK(text_in(texts, kOldFile) == "none");
  }
  for (const std::string& contents :
       {std::string(), std::string("bunraku kept texts 0\n") + line, line + "x", line + "\n",
        line + "1 2 3 /path\ttext\n", line + "1 2 3 4 no tab\n",
        line + "99999999999999999999 2 3 4 /path\ttext\n", line.substr(0, line.size() - 1)}) {
    write_file(file, contents, NewFile{.mode = 0600});
    KeptTexts texts(file);
    CHECK(text_in(texts, kOldFile) == "none");
  }
}

TEST_CASE("kept texts: nothing is written by a link, nor where others can write") {
  const TemporaryDirectory directory("kept-texts");
  const std::string cache = directory.path() + "/bunraku", own = cache + "/modules";
  const auto saves = [&] {
    KeptTexts texts(own + "/texts.txt");
    texts.keep(kOldFile, file_stamp(kOldFile), "text");
    texts.save();
    return exists(own + "/texts.txt");
  };
  create_private_directory(directory.path() + "/elsewhere");
  create_private_directory(cache);
  REQUIRE(symlink("../elsewhere", own.c_str()) == 0);
  CHECK_FALSE(saves());
  REQUIRE(unlink(own.c_str()) == 0);
  create_private_directory(own);
  for (const std::string& shared : {own, cache}) {
    REQUIRE(chmod(shared.c_str(), 0770) == 0);
    CHECK_FALSE(saves());
    REQUIRE(chmod(shared.c_str(), 0755) == 0);
  }
  CHECK(saves());
}

TEST_CASE("kept texts: a path or text that no line can hold is not kept") {
  const TemporaryDirectory directory("kept-texts");
  KeptTexts texts(directory.path() + "/bunraku/modules/texts.txt");
  texts.keep("/a\tb", FileStamp(), "text");
  texts.keep("/a\nb", FileStamp(), "text");
  texts.keep("/ab", FileStamp(), "two\nlines");
  for (const char* path : {"/a\tb", "/a\nb", "/ab"}) CHECK(text_in(texts, path) == "none");
}
