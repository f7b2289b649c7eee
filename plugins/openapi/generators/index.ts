import type { Installation } from "framewright/generators";

/** What `fw generate fw:install openapi` adds. */
export const installation: Installation = {
  name: "openapi",
  summary: "Describe each portal's interface for programs as OpenAPI 3.1",
  plugins: ["openapi"],
  next: ["npx fw openapi --write"],
};
