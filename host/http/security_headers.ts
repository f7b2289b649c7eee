import type { IncomingMessage, ServerResponse } from "node:http";
import type { Settings } from "framewright/kernel";
import helmet from "helmet";
import type { CspSource } from "./content_security_policy.ts";

/** Turbo's own style sheet for its progress bar, which it writes into the page; the digest changes with Turbo's version. */
const turboProgressBar = "'sha256-WAyOw4V+FqDc35lQPyRADLBWbuNK8ahvYEaQIYF1+Ps='";

/** The security headers of every reply: computed by helmet once, as they never change after boot. */
export function securityHeaders(
  { secureCookies }: Settings,
  sources: readonly CspSource[] = [],
): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string | number) => {
      headers[name.toLowerCase()] = String(value);
    },
    removeHeader: () => undefined,
  };
  const apply = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: directives(secureCookies, sources),
    },
    strictTransportSecurity: secureCookies,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
  });
  apply({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}

/** The policy with the sources of plugins; a directive that it lacked begins with `'self'`, as `default-src` did for it. */
function directives(secureCookies: boolean, sources: readonly CspSource[]): Record<string, string[]> {
  const policy: Record<string, string[]> = {
    "default-src": ["'self'"],
    "base-uri": ["'none'"],
    "font-src": ["'self'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'self'"],
    "img-src": ["'self'", "data:"],
    "object-src": ["'none'"],
    "script-src": ["'self'"],
    "script-src-attr": ["'none'"],
    "style-src": ["'self'", turboProgressBar],
    ...(secureCookies ? { "upgrade-insecure-requests": [] } : {}),
  };
  for (const { directive, source } of sources) {
    policy[directive] ??= ["'self'"];
    if (!policy[directive].includes(source)) policy[directive].push(source);
  }
  return policy;
}
