claude mcp add-json --scope user skillhost '{"type":"stdio","command":"/usr/local/bin/skillhost","args":["--skills-dir","/home/you/skills"],"alwaysLoad":true}'
