import type { Installation } from "framewright/generators";

/** What `fw generate fw:install mcp` adds. */
export const installation: Installation = {
  name: "mcp",
  summary: "Let agents work on the records of portals by the Model Context Protocol",
  plugins: ["mcp"],
  needs: ["openapi"],
  next: ["npm install @modelcontextprotocol/server"],
};
