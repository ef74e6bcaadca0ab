function site::nobody() { 1 }
