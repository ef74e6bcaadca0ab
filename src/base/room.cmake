# Memory, text, formats, diagnostics and the system: what knows nothing of the language.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/base/system/version.cc
  PROPERTIES COMPILE_DEFINITIONS BUNRAKU_VERSION="${PROJECT_VERSION}")
room(base
  LIBRARIES fmt_headers PkgConfig::ONIGURUMA late_pcre2 late_yaml ${NETTLE} ${PUGIXML}
            ${XXHASH} Threads::Threads
            ${CMAKE_DL_LIBS}
  FACE diagnostics/diagnostic.h diagnostics/diagnostic_explanation.h
       diagnostics/diagnostic_renderer.h diagnostics/file_range.h diagnostics/log.h
       diagnostics/log_destination.h
       diagnostics/source.h diagnostics/strictness.h formats/data.h formats/data_builder.h
       formats/data_tree_writer.h formats/document_check.h formats/hocon.h formats/json.h formats/json_members.h
       formats/msgpack.h formats/toml.h formats/yaml.h formats/yaml_line.h
       formats/yaml_writer.h memory/arena.h memory/data_names.h memory/name.h memory/name_index.h
       regex/regex.h system/checksum_cache.h system/descriptor.h
       system/directory_walk.h system/file_lock.h system/file_overlay.h system/file_reader.h
       system/file_system.h system/file_writer.h system/glob.h system/kept_texts.h system/lazy_library.h system/limits.h system/process.h
       system/profile.h system/reads.h system/safe_name.h system/stack.h system/terminal.h
       system/temporary_directory.h system/terminal_program.h system/text_cache.h
       system/thread_pool.h system/used_stack.h system/user_cache.h system/version.h text/ascii.h text/base64.h text/big_integer.h text/counts.h
       text/digest.h text/duration.h text/html.h text/ip_address.h text/lists.h text/mersenne_twister.h
       text/number_text.h
       text/replacement.h text/ruby_text.h text/short_text.h text/suggestion.h text/text_hash.h text/utf8.h)
