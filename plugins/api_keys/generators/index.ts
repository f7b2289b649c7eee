import type { Installation } from "framewright/generators";

/** What `fw generate fw:install api_keys` adds; `fw:authlib:account <type> --api_keys` adds it with the keys of accounts. */
export const installation: Installation = {
  name: "api_keys",
  summary: "Check the scopes of API keys",
  plugins: ["apiKeyScopes"],
};
