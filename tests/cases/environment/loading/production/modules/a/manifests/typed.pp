class a::typed { $x = "s" if $x =~ A::Text and $x =~ Typed::Text and $x =~ Environment::Text { notice("typed") } }
