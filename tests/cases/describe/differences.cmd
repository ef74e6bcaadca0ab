# Entries of docs/differences.yaml; the pages and the cases agree with that file.
ruby "$CASE/../../../tools/differences.rb" --check && echo made
bunraku describe D20
bunraku describe difference d3 --format json | grep -v '"text"'
bunraku describe differences | sed -n 1,4p
bunraku describe D99999
