#include "site/environment/program_cache.h"

#include "base/system/profile.h"
#include "base/system/reads.h"
#include "site/environment/files.h"

namespace bunraku {
namespace {

std::string key_of(const std::string& path, SourceForm form, const ParseSettings& settings) {
  std::string key;
  key.push_back(form == SourceForm::kTemplate ? 't' : 'm');
  key.push_back(settings.tasks ? '1' : '0');
  key.push_back(static_cast<char>('0' + static_cast<int>(settings.strict)));
  key.push_back(static_cast<char>('0' + static_cast<int>(settings.location.kind)));
  return key.append(settings.location.name_space).append(":").append(path);
}

FileVersion read_source(const std::string& path, SourceForm form) {
  if (form != SourceForm::kTemplate) return read_environment_file_version(path);
  // The path of a template may be any text, such as a fact, and lead to a device.
  const FileStamp stamp = file_stamp(path);
  return {read_environment_file(path), stamp};
}

}  // namespace

ParsedFilePointer parse_and_validate(SourcePointer source, SourceForm form,
                                     const ParseSettings& settings) {
  auto file = std::make_shared<ParsedFile>();
  DiagnosticList found;
  ParseOptions options;
  options.form = form;
  options.tasks = settings.tasks;
  file->program = parse(std::move(source), options, found);
  file->has_syntax_errors = found.has_errors();
  if (!file->has_syntax_errors) {
    ValidationSettings validation;
    validation.strict = settings.strict;
    validation.tasks = settings.tasks;
    validation.location = settings.location;
    validate(*file->program, validation, found);
  }
  file->digest.stand_for(file->program->source()->text());
  file->has_errors = found.has_errors();
  file->diagnostics = std::move(found.all);
  return file;
}

ProgramCache& ProgramCache::shared() {
  static ProgramCache* const cache = new ProgramCache;
  return *cache;
}

ParsedFilePointer ProgramCache::parse(const std::string& path, SourceForm form,
                                      const ParseSettings& settings) {
  const std::string key = key_of(path, form, settings);
  const Entry known = find(key);
  if (known.file != nullptr && known.stamp == file_stamp(path)) return known.file;
  // Every user of the program reports the file itself, whichever reads it first.
  const ObservedReads no_observer(nullptr);
  const ProfileSpan span(WorkKind::kFile, path);
  FileVersion version = read_source(path, form);
  auto source = std::make_shared<const SourceFile>(path, std::move(version.contents));
  ParsedFilePointer file = parse_and_validate(std::move(source), form, settings);
  const std::lock_guard lock(mutex_);
  entries_[key] = {version.stamp, file};
  return file;
}

ProgramCache::Entry ProgramCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  return found == entries_.end() ? Entry() : found->second;
}

}  // namespace bunraku
