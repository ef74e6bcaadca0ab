# An undefined class.
echo 'include nosuch' > site.pp
bunraku catalog compile n site.pp
