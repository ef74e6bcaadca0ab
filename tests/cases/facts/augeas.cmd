# case: oracle=no
# Augeas needs the C library's regular expressions: Oniguruma, which the program links, has functions with the same names.
mkdir -p empty
LD_DEBUG=bindings bunraku facts show augeas --modulepath "$PWD/empty" --vardir "$PWD/var" > out 2> bindings
grep -c '"version": "[0-9.]*"' out
sed -n 's,^.*binding file [^ ]*/libaugeas[^ ]* \[[0-9]*\] to \(.*/\)\?\([^ ]*\) .* symbol `\(re_match\|re_compile_pattern\|regfree\|malloc\)..*$,\3 of \2,p' bindings | sort -u
