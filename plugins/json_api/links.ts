import type { RequestContext } from "framewright/host";
import type { JsonAnswer } from "./answer.ts";

/** A longer header is refused by some proxies. */
const MAX_CHARS = 4000;
const CURSOR = /[?&]after=([^&]*)/;
const isPlace = /^(?:page|after)(?:%5B|\[|=|$)/i;
const unsafe = /[^\x21-\x7e]|[<>"]/g;

/** The header `Link` of RFC 8288 of a list, with the parameters of the request; and the address of the next page. */
export function linksOf(
  { raw: { url = "" } }: RequestContext,
  { asked, count, next }: NonNullable<JsonAnswer["list"]>,
): { header: string | undefined; next: string | undefined } {
  const at = url.indexOf("?");
  const base = at < 0 ? url : url.slice(0, at);
  const kept = at < 0 ? "" : withoutPlace(url.slice(at + 1));
  const address = (place: string) => `${base}?${kept}${place}`.replace(unsafe, encodeURIComponent);
  const last = Math.max(1, Math.ceil(count.total / asked.perPage));
  const { page, after } = asked;
  const before = after && page === 1 ? 1 : page - 1;
  const cursor = next === undefined ? undefined : CURSOR.exec(next)?.[1];
  const following =
    cursor !== undefined ? address(`after=${cursor}`) : page < last && !after ? address(`page=${page + 1}`) : undefined;
  let header = `<${address("page=1")}>; rel="first"`;
  if (before >= 1 && (before <= last || !count.capped))
    header += `, <${address(`page=${Math.min(before, last)}`)}>; rel="prev"`;
  if (following !== undefined) header += `, <${following}>; rel="next"`;
  if (!count.capped) header += `, <${address(`page=${last}`)}>; rel="last"`;
  return { header: header.length > MAX_CHARS ? undefined : header, next: following };
}

/** A query without what names a page, ending in `&` where anything is left. */
function withoutPlace(query: string): string {
  const kept = query.split("&").filter((part) => part !== "" && !isPlace.test(part));
  return kept.length === 0 ? "" : `${kept.join("&")}&`;
}
