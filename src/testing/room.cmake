# Catalogs for programs that test, and the Ruby files that let rspec-puppet ask for them.
room(testing
  USES base site/settings site/node compilation
  FACE catalog_requests.h rspec_files.h)
foreach(PART start late catalogs facts loading shortcuts graphs standing adapter runner)
  embed_text(bunraku_testing FILE src/testing/rspec/${PART}.rb HEADER testing/rspec_files.h
             FUNCTION rspec_${PART}_text)
endforeach()
