import type { Authentication } from "framewright/host";
import type { Kernel } from "framewright/kernel";
import type {} from "framewright/plugins/authlib";
import type { Schema } from "./contract.ts";

/** How programs sign in: the schemes, and those that an operation takes. */
export interface Security {
  readonly schemes: Readonly<Record<string, Schema>>;
  readonly reads: readonly Schema[];
  readonly writes: readonly Schema[];
}

const bearer = (description: string): Schema => ({ type: "http", scheme: "bearer", description });
const session: Schema = {
  type: "apiKey",
  in: "cookie",
  name: "fw_session",
  description: "The session of a browser; in production its name begins with `__Host-`.",
};
const csrfToken: Schema = {
  type: "apiKey",
  in: "header",
  name: "X-CSRF-Token",
  description: 'What `<meta name="csrf-token">` of a page has; for requests that write, with the session.',
};

/** What the authentication of a portal takes. */
export function securityOf(kernel: Kernel, controller: object | undefined): Security {
  const { authentication } = (controller ?? {}) as { authentication?: Authentication };
  if (!authentication || authentication.mode === "public") return { schemes: {}, reads: [], writes: [] };
  const type = accountType(kernel, authentication);
  if (!type) return { schemes: { token: schemeOf(authentication) }, reads: [{ token: [] }], writes: [{ token: [] }] };
  const isApi = type.features.has("jwt");
  const hasPages = type.class.apiOnly !== true;
  return {
    schemes: {
      ...(isApi ? { token: bearer(`An access token of the account type "${type.name}".`) } : {}),
      ...(hasPages ? { csrfToken, session } : {}),
    },
    reads: [...(isApi ? [{ token: [] }] : []), ...(hasPages ? [{ session: [] }] : [])],
    writes: [...(isApi ? [{ token: [] }] : []), ...(hasPages ? [{ csrfToken: [], session: [] }] : [])],
  };
}

const accountType = (kernel: Kernel, { account }: Authentication) =>
  account !== undefined && kernel.has("auth") ? kernel.service("auth").types.find(account) : undefined;

/** By the challenge of its 401: a scheme of HTTP that there is, else a token in the header. */
function schemeOf({ challenge = "Bearer" }: Authentication): Schema {
  const scheme = challenge.split(" ")[0]!.toLowerCase();
  if (["bearer", "basic", "digest"].includes(scheme))
    return { type: "http", scheme, description: "As the authentication of the portal reads it." };
  return {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: `\`${challenge}\`, as the authentication of the portal reads it.`,
  };
}
