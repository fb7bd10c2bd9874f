"""The web page and its interface; everything is imported when ``taquin serve`` asks for it."""
