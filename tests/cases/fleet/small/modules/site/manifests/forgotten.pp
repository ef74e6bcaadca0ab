class site::forgotten { }
