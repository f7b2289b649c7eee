/**
 * Whether a header of `If-None-Match` names a tag: the client has that answer already. Tags are compared as weak ones, since
 * proxies that compress make them weak.
 * @example isKnownTag('W/"a", "b"', '"a"') // true
 */
export function isKnownTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((tag) => tag.trim() === "*" || bare(tag) === bare(etag));
}
const bare = (tag: string): string => tag.trim().replace(/^W\//, "");
