notice("top code")
