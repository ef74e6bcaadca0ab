class bad { 
