# Catalogs for programs that test, and the Ruby files that let rspec-puppet ask for them.
room(testing
  USES base site/settings site/node compilation
  FACE catalog_requests.h rspec_files.h)
embed_text(bunraku_testing FILE src/testing/rspec/adapter.rb HEADER testing/rspec_files.h
           FUNCTION rspec_adapter_text)
embed_text(bunraku_testing FILE src/testing/rspec/shortcuts.rb HEADER testing/rspec_files.h
           FUNCTION rspec_shortcuts_text)
embed_text(bunraku_testing FILE src/testing/rspec/runner.rb HEADER testing/rspec_files.h
           FUNCTION rspec_runner_text)
