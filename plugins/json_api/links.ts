import type { RequestContext } from "framewright/host";
import type { JsonAnswer } from "./answer.ts";

/** A longer header is refused by some proxies. */
const MAX_CHARS = 4000;
const CURSOR = /[?&]after=([^&]*)/;
const isPlace = /^(?:page|after)(?:%5B|\[|=|$)/i;
const unsafe = /[^\x21-\x7e]|[<>"]/;

/** The header `Link` of RFC 8288 of a list, with the parameters of the request; and the address of the next page. */
export function linksOf(
  { raw: { url = "" } }: RequestContext,
  { request, count, next }: NonNullable<JsonAnswer["list"]>,
): { header: string | undefined; next: string | undefined } {
  const at = url.indexOf("?");
  const base = at < 0 ? `${url}?` : `${url.slice(0, at)}?${withoutPlace(url.slice(at + 1))}`;
  const list = unsafe.test(base) ? base.replaceAll(new RegExp(unsafe, "g"), encodeURIComponent) : base;
  const { page, after, perPage } = request;
  const { total, capped } = count;
  const last = Math.max(1, Math.ceil(total / perPage));
  const before = after && page === 1 ? 1 : page - 1;
  const cursor = next === undefined ? undefined : CURSOR.exec(next)?.[1];
  const place = cursor !== undefined ? `after=${cursor}` : page < last && !after ? `page=${page + 1}` : undefined;
  let header = `<${list}page=1>; rel="first"`;
  if (before >= 1 && (before <= last || !capped)) header += `, <${list}page=${Math.min(before, last)}>; rel="prev"`;
  if (place !== undefined) header += `, <${list}${place}>; rel="next"`;
  if (!capped) header += `, <${list}page=${last}>; rel="last"`;
  return {
    header: header.length > MAX_CHARS ? undefined : header,
    next: place === undefined ? undefined : list + place,
  };
}

/** A query without what names a page, ending in `&` where anything is left. */
function withoutPlace(query: string): string {
  const kept = query.split("&").filter((part) => part !== "" && !isPlace.test(part));
  return kept.length === 0 ? "" : `${kept.join("&")}&`;
}
