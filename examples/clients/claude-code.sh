claude mcp add --scope user skillhost -- /usr/local/bin/skillhost --skills-dir /home/you/skills
