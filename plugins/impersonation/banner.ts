import { csrfInput, html, type Reply, type RequestContext, raw, type SafeHtml } from "framewright/host";

const MINUTE_MS = 60_000;
/** Where `End` leads, below the application's path. */
export const END_PATH = "/impersonation/end";
/** The first tag of the body: not one within a comment, a script, a template or another text. */
const BODY =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|template|noscript|title|textarea|xmp|iframe)\b[\s\S]*?(?:<\/\1\s*>|$)|<body(?:\s(?:[^>"']|"[^"]*"|'[^']*')*)?>/gi;

/** What the banner shows. */
export interface BannerParts {
  readonly request: RequestContext;
  readonly actor: string;
  readonly person: string;
  readonly endsAt: Date;
  readonly styles: string;
}

/** The banner: both names, the minutes left, and "End". Built before the session is stored, since its form has a token. */
export function bannerOf({ request, actor, person, endsAt, styles }: BannerParts): SafeHtml {
  const count = Math.max(1, Math.ceil((endsAt.getTime() - Date.now()) / MINUTE_MS));
  const path = `${request.application.settings.basePath}${END_PATH}`;
  const text = request.t("impersonation.banner", { actor, person });
  const left = request.t("impersonation.left", { count });
  return html`<link rel="stylesheet" href="${styles}"><aside class="fw-acting-banner" role="status" data-turbo-permanent="false"><span>${text}</span> <span>${left}</span><form method="post" action="${path}" data-turbo="false">${csrfInput(request, path)}<button type="submit">${request.t("impersonation.end")}</button></form></aside>`;
}

/** A page that is sent in pieces has no place for the banner: it is refused. */
function refuseStream(reply: Reply, request: RequestContext): void {
  void reply.stream?.[Symbol.asyncIterator]().return?.(); // what it reads from is released
  reply.stream = undefined;
  reply.status = 403;
  for (const name of ["content-length", "etag", "last-modified"]) delete reply.headers[name];
  reply.body = html`<!doctype html><html><body><p>${request.t("impersonation.streamed")}</p></body></html>`.html;
}

/** Puts the banner first in the body of a page, whichever template it was drawn by; other answers stay as they are. */
export function addBanner(reply: Reply, request: RequestContext, banner: SafeHtml): void {
  reply.headers["cache-control"] = "no-store";
  request.publicMaxAge = 0;
  const type = String(reply.headers["content-type"] ?? "");
  const isDownload = /^\s*attachment/i.test(String(reply.headers["content-disposition"] ?? ""));
  if (!/^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type) || isDownload) return;
  if (reply.stream) refuseStream(reply, request);
  const page = String(reply.body);
  if (page === "" || request.frame !== undefined) return;
  const tag = [...page.matchAll(BODY)].find(([text]) => /^<body/i.test(text));
  const at = tag === undefined ? (/^\s*<!doctype[^>]*>/i.exec(page)?.[0].length ?? 0) : tag.index + tag[0].length;
  reply.body = `${page.slice(0, at)}${raw(String(banner))}${page.slice(at)}`;
}
