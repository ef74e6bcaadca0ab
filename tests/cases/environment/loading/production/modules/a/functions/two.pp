function a::two() { 1 } function a::three() { 2 }
