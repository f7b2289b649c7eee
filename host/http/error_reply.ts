import { FramewrightError, messageOf } from "framewright/kernel";
import type { ApplicationContext } from "../app/application_context.ts";
import { withOrigin } from "../app/origin.ts";
import { optionalService } from "../app/ports.ts";
import type { BaseController } from "../controllers/controller.ts";
import { renderErrorPage } from "../controllers/render_page.ts";
import { type FieldErrors, HttpError } from "../errors.ts";
import { escapeHtml } from "../support/html.ts";
import { namesOf } from "./acting.ts";
import { shownErrors, shownRequest } from "./development_error.ts";
import { loggedPath } from "./logged_path.ts";
import { abandonTaps } from "./pending_taps.ts";
import { copyOf, htmlReply, problemType, Reply } from "./reply.ts";
import type { RequestContext } from "./request.ts";

interface ErrorFacts {
  status: number;
  code: string;
  message: string;
  headers: Record<string, string>;
  fields: FieldErrors | undefined;
  meta: HttpError["meta"];
}

/** The reply to an error: a page for browsers, RFC 9457 problem details for JSON. */
export function replyTo(
  thrown: unknown,
  application: ApplicationContext,
  request: RequestContext | undefined,
): Promise<Reply> {
  const answer = () => replyToError(thrown, application, request);
  return request && application.tracksOrigins ? withOrigin({ request }, answer) : answer();
}

async function replyToError(
  thrown: unknown,
  application: ApplicationContext,
  request: RequestContext | undefined,
): Promise<Reply> {
  const failure = thrown instanceof Error ? thrown : new Error(messageOf(thrown));
  const error = optionalService(application.kernel, "database")?.explain?.(failure) ?? failure;
  const facts = factsOf(error);
  if (facts.status === 301) return new Reply(301, "", facts.headers);
  if (facts.status >= 500) log(application, error, facts, request);
  if (!request) return plainPage(application, facts);
  const answer = await application.kernel.hooks.error.promise(error, request).catch((failure: unknown) => {
    application.log.error({ err: failure }, messageOf(failure));
    return undefined;
  });
  return answer instanceof Reply ? copyOf(answer) : standardReply(error, application, request, facts);
}

/** The standard reply to an error, without the hook `kernel.error`. */
export function standardReply(
  error: Error,
  application: ApplicationContext,
  request: RequestContext,
  facts = factsOf(error),
): Reply {
  const reply =
    request.format === "json" || request.isJson
      ? problem(application, error, facts, request)
      : page(application, error, facts, request);
  Object.assign(reply.headers, facts.headers);
  return reply;
}

/** Problem details also where the request accepts pages: clients of an API often send no Accept header. */
export function problemReply(error: Error, application: ApplicationContext, request?: RequestContext): Reply {
  const facts = factsOf(error);
  const reply = problem(application, error, facts, request);
  Object.assign(reply.headers, facts.headers);
  return reply;
}

function factsOf(error: Error): ErrorFacts {
  const { status = 500, fields, retryAfter } = error as { status?: number; fields?: FieldErrors; retryAfter?: number };
  const code = error instanceof FramewrightError ? error.code : "FW_FAULT";
  const message = error.message.replace(/^FW_\w+: /, "");
  const headers = error instanceof HttpError ? { ...error.headers } : {};
  if (status === 503) headers["retry-after"] ??= String(retryAfter ?? 5);
  return { status, code, message, headers, fields, meta: error instanceof HttpError ? error.meta : undefined };
}

function log(
  { log }: ApplicationContext,
  error: Error,
  { status }: ErrorFacts,
  request: RequestContext | undefined,
): void {
  const where = request ? `${request.method} ${loggedPath(request)}` : "a request";
  const waits = status === 503 && request ? abandonTaps(request) : []; // a transaction ends before the request's deadline
  const cause = waits.length > 0 ? ` It waited for ${waits.join(" and ")}.` : "";
  log.error(
    { err: error, status, request: request?.id, trace: request?.trace.traceId, ...namesOf(request?.acting) },
    `${where} failed: ${error.message}${cause}`,
  );
}

const showsDetail = (application: ApplicationContext, { status }: ErrorFacts) =>
  status < 500 || application.settings.env === "development";

function problem(application: ApplicationContext, error: Error, facts: ErrorFacts, request?: RequestContext): Reply {
  const { status, code, fields, meta } = facts;
  const body = {
    type: "about:blank",
    title: titleOf(application, facts, request?.locale),
    status,
    code,
    ...(request && status >= 500 ? { request: request.id } : {}),
    ...(showsDetail(application, facts) ? { detail: facts.message } : {}),
    ...(fields && Object.keys(fields).length > 0 ? { errors: fields } : {}),
    ...(meta ? { meta } : {}),
    ...(application.settings.env === "development" && status >= 500 ? { stack: error.stack?.split("\n") } : {}),
  };
  return new Reply(status, JSON.stringify(body), { "content-type": problemType });
}

/**
 * The error page: inside the portal's own pages for who was let in, else alone, and then it depends on the error and the language
 * only, but for the id of a request that failed.
 */
function page(application: ApplicationContext, error: Error, facts: ErrorFacts, request: RequestContext): Reply {
  const views = optionalService(application.kernel, "views");
  const portal = request.engine?.path;
  if (!views?.exists(portal, "errors/error")) return plainPage(application, facts, error);
  const { status } = facts;
  const names = [`errors/${status}`, "errors/error"];
  const locals = errorLocals(application, error, facts, request);
  const within = request.controller && withinPages(application, request.controller, names, locals);
  if (within !== undefined) return uncached(htmlReply(within, status));
  try {
    const shown = { locale: request.locale, ...idOf(request, facts) };
    const alone = { ...locals, base_path: application.settings.basePath, request: shown };
    return htmlReply(views.render({ portal, names, layout: "basic", locals: alone }), status);
  } catch (failure) {
    application.log.error({ err: failure }, `the error page failed: ${messageOf(failure)}`);
    return plainPage(application, facts, error);
  }
}

/** By which a failure is found in the log. */
const idOf = (request: RequestContext, { status }: ErrorFacts) => (status >= 500 ? { id: request.id } : {});

/** A page with navigation and account is one person's. */
function uncached(reply: Reply): Reply {
  reply.headers["cache-control"] = "no-store";
  return reply;
}

function errorLocals(
  application: ApplicationContext,
  error: Error,
  facts: ErrorFacts,
  request: RequestContext,
): Record<string, unknown> {
  const { status } = facts;
  const { locale } = request;
  const title = titleOf(application, facts, locale);
  if (status >= 500 && application.settings.env === "development") {
    const developing = { errors: shownErrors(error, application.settings.root), facts: shownRequest(request) };
    return { status, title, message: error.message, stack: stackWithCauses(error), developing };
  }
  const text = application.texts?.t(`errors.${textKeyOf(application, facts)}.message`, undefined, locale) ?? "";
  return { status, title, message: text, again: againText(application, facts, locale) };
}

/** When to try again, for who was refused for a time. */
function againText({ texts }: ApplicationContext, { status, headers }: ErrorFacts, locale: string): string | undefined {
  const seconds = Number(headers["retry-after"]);
  if (status !== 429) return undefined;
  if (!(seconds > 0)) return texts?.t("errors.again.soon", undefined, locale);
  if (seconds < 90) return texts?.t("errors.again.seconds", { count: seconds }, locale);
  if (seconds < 5400) return texts?.t("errors.again.minutes", { count: Math.ceil(seconds / 60) }, locale);
  return texts?.t("errors.again.hours", { count: Math.ceil(seconds / 3600) }, locale);
}

/** What failed once may fail again while the portal's navigation is drawn. */
function withinPages(
  { log }: ApplicationContext,
  controller: BaseController,
  names: readonly string[],
  locals: Record<string, unknown>,
): string | undefined {
  try {
    return renderErrorPage(controller, names, locals);
  } catch (failure) {
    const isRefused = failure instanceof HttpError && failure.status < 500; // as where somebody is in no tenant
    if (!isRefused) log.error({ err: failure }, `the error page failed inside of the portal: ${messageOf(failure)}`);
    return undefined;
  }
}

function stackWithCauses(error: Error): string {
  const cause = error.cause instanceof Error ? `\n\ncaused by ${stackWithCauses(error.cause)}` : "";
  return (error.stack ?? error.message) + cause;
}

function plainPage(application: ApplicationContext, facts: ErrorFacts, error?: Error): Reply {
  const { status } = facts;
  const title = escapeHtml(titleOf(application, facts));
  const detail =
    error && status >= 500 && application.settings.env === "development"
      ? `<pre>${escapeHtml(stackWithCauses(error))}</pre>`
      : "";
  return htmlReply(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${detail}</html>`,
    status,
  );
}

const titles: Record<number, string> = {
  400: "Bad request",
  401: "Not signed in",
  403: "Forbidden",
  404: "Not found",
  405: "Method not allowed",
  408: "Request timeout",
  409: "Conflict",
  413: "Too large",
  415: "Unsupported media type",
  422: "Unprocessable content",
  429: "Too many requests",
  500: "Internal server error",
  503: "Service unavailable",
};
/** The title from the catalogue, else the English one. */
function titleOf(application: ApplicationContext, facts: ErrorFacts, locale?: string): string {
  const { texts } = application;
  const key = `errors.${textKeyOf(application, facts)}.title`;
  return texts?.has(key) ? texts.t(key, undefined, locale) : (titles[facts.status] ?? "Error");
}
/** The key of the texts of an error: its code where the catalogue has it, else its status. */
const textKeyOf = ({ texts }: ApplicationContext, { code, status }: ErrorFacts): string | number =>
  texts?.has(`errors.${code}.title`) ? code : status;
