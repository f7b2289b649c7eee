import type { IncomingMessage, ServerResponse } from "node:http";
import type { Settings } from "framewright/kernel";
import helmet from "helmet";

/** The security headers of every answer: worked out by helmet once, since they are the same each time. */
export function securityHeaders({ secureCookies }: Settings): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string | number) => void (headers[name.toLowerCase()] = String(value)),
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
        styleSrc: ["'self'"],
        ...(secureCookies ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secureCookies,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
  });
  apply({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}
