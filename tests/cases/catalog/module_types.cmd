# Types of the standard library are known only where it is installed; types of the agent's package are always known.
# case: oracle=no
mkdir -p modules
for type in anchor file_line cron; do
  bunraku catalog compile n --modulepath modules --vardir vardir -e "$type { 'a': }" > out 2>&1 && echo "$type is known" || sed -n 1p out
done
