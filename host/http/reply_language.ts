import type { Reply } from "./reply.ts";
import type { RequestContext } from "./request.ts";

/** Adds `Vary` for caches, as a reply depends on the reader's language; once, for a controller may keep one reply for everybody. */
export function varyByLanguage({ headers }: Reply, { cookieless }: RequestContext): void {
  const before = headers.vary === undefined ? [] : [headers.vary].flat().join(", ").split(/,\s*/);
  const added = cookieless ? ["accept-language"] : ["accept-language", "cookie"];
  headers.vary = [...new Set([...before, ...added])].join(", ");
}
