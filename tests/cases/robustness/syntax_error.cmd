# A syntax error in the manifest of a catalog.
cat > site.pp <<'END'
class a {
  notify { 'x' message => 1 }
}
END
bunraku catalog compile n site.pp
