"""Small charts: data in, one SVG string out. No file, no script, no style of their own."""
