plan a::p() { return 1 }
