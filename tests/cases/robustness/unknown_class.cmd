# A class that nobody has.
echo 'include nosuch' > site.pp
bunraku catalog compile n site.pp
