# The program: commands, each of which reads its options, calls one room and prints.
program(bunraku
  PATH cli
  USES base facts syntax validation values types conversion serialization evaluation ruby/worker
       functions site/settings site/node site/environment site/lookup site/file_serving site/checks
       resource_types catalog/document catalog/compiler catalog/explanation catalog/difference
       apply/reports apply/transaction apply/providers ruby/types fleet net certificates store
       compilation testing server agent
  LIBRARIES late_edit)
embed_text(bunraku_cli FILE docs/differences.yaml HEADER cli/commands/differences.h
           FUNCTION differences_text)
foreach(SYSTEM almalinux-9 debian-12 ubuntu-24.04 windows-2022)
  string(REGEX REPLACE "[-.]" "_" FUNCTION ${SYSTEM}_facts)
  embed_text(bunraku_cli FILE share/facts/${SYSTEM}.json HEADER cli/commands/fact_samples.h
             FUNCTION ${FUNCTION})
endforeach()
