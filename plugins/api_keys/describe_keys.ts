import type { TapOnly } from "framewright/kernel";
import type { Auth } from "framewright/plugins/authlib";
import type { OpenApiHooks, Operation, Schema } from "framewright/plugins/openapi";

const scheme: Schema = {
  type: "http",
  scheme: "bearer",
  bearerFormat: "fwk_…",
  description:
    "An API key of the account. Its scopes name resources by their paths: `posts:read`, `posts:write` (which includes reading and all actions), `posts:delete`, `posts:<action>`, and `*` for all of them. 403 `FW_API_KEY_SCOPE` names what is missing.",
};

/** Describes keys in the documents of portals whose accounts have them: each operation of a resource takes one. */
export function describeKeys(hook: TapOnly<OpenApiHooks>["document"], types: Auth["types"]): void {
  hook.tap("api_keys", ({ document, authentication }) => {
    const type = authentication?.account === undefined ? undefined : types.find(authentication.account);
    if (!type?.features.has("api_keys")) return;
    document.components.securitySchemes.apiKey = scheme;
    document.security = [...document.security, { apiKey: [] }];
    for (const item of Object.values(document.paths))
      for (const verb of ["get", "put", "post", "patch", "delete"] as const) {
        const operation: Operation | undefined = item[verb];
        if (operation?.security && operation.security.length > 0)
          item[verb] = { ...operation, security: [...operation.security, { apiKey: [] }] };
      }
  });
}
