import type { IncomingMessage, ServerResponse } from "node:http";
import type { Settings } from "framewright/kernel";
import helmet from "helmet";

/** Turbo's own style sheet for its progress bar, which it writes into the page; the digest changes with Turbo's version. */
const turboProgressBar = "'sha256-WAyOw4V+FqDc35lQPyRADLBWbuNK8ahvYEaQIYF1+Ps='";

/** The security headers of every reply: computed by helmet once, as they never change. */
export function securityHeaders({ secureCookies }: Settings): Record<string, string> {
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
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        fontSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
        imgSrc: ["'self'", "data:"],
        objectSrc: ["'none'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", turboProgressBar],
        ...(secureCookies ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secureCookies,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
  });
  apply({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}
