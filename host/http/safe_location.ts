const MAX_BYTES = 2048;

const plain = /^(?:\/[a-z0-9_-]+)+$/i;

/**
 * The one sanitizer of redirect targets that a client can influence (`return_to`, referer, stored addresses): a path of
 * this origin that begins with exactly one slash, at most 2,048 bytes, and not below a forbidden mount. Anything else
 * gives undefined. `base` is the path of the application: an address outside of it, as an application writes it ("/admin"), is
 * taken for one below it.
 */
export function safeLocation(
  given: unknown,
  { origin, forbidden = [], base = "" }: { origin: string; forbidden?: readonly string[]; base?: string },
): string | undefined {
  if (typeof given !== "string" || given === "" || Buffer.byteLength(given) > MAX_BYTES) return undefined;
  if (forbidden.length === 0 && plain.test(given)) return below(given, base); // Fast path: a plain path that every URL parser reads alike
  const path = given.startsWith(`${origin}/`) ? given.slice(origin.length) : given;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(path) || path.includes("\\")) return undefined;
  if (!URL.canParse(path, origin)) return undefined;
  const url = new URL(path, origin);
  if (url.origin !== origin || /%(?:0[0-9a-f]|1[0-9a-f]|7f|5c)/i.test(url.pathname)) return undefined;
  if (url.pathname.startsWith("//")) return undefined;
  const found = below(url.pathname, base);
  const served = found.replace(/\.json$/, "");
  if (forbidden.some((mount) => served === mount || served.startsWith(`${mount}/`))) return undefined;
  return found + url.search + url.hash;
}

const below = (path: string, base: string): string =>
  base === "" || path === base || path.startsWith(`${base}/`) ? path : base + path;
