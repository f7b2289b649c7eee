import { FramewrightError, messageOf } from "framewright/kernel";
import type { Application } from "../app/application.ts";
import { faceOf } from "../app/ports.ts";
import { type FieldErrors, HttpError } from "../errors.ts";
import { escapeHtml } from "../support/html.ts";
import { loggedPath } from "./logged_path.ts";
import { htmlReply, problemType, Reply } from "./reply.ts";
import type { RequestContext } from "./request.ts";

interface Fault {
  status: number;
  code: string;
  message: string;
  headers: Record<string, string>;
  fields: FieldErrors | undefined;
}

/** Turns what a request ended in into an answer: a page for browsers, RFC 9457 problem details for JSON. */
export async function replyTo(
  thrown: unknown,
  application: Application,
  request: RequestContext | undefined,
): Promise<Reply> {
  const failure = thrown instanceof Error ? thrown : new Error(messageOf(thrown));
  const error = faceOf(application.kernel, "database")?.explain?.(failure) ?? failure;
  const fault = faultOf(error);
  if (fault.status >= 500) log(application, error, fault, request);
  if (!request) return literalPage(application, fault);
  const answer = await application.kernel.hooks.error.promise(error, request).catch((failure: unknown) => {
    application.log.error({ err: failure }, messageOf(failure));
    return undefined;
  });
  return answer instanceof Reply ? answer : standardReply(error, application, request, fault);
}

/** The answer that no plugin has a say in. */
export function standardReply(
  error: Error,
  application: Application,
  request: RequestContext,
  fault = faultOf(error),
): Reply {
  const reply =
    request.format === "json" || request.isJson
      ? problem(application, error, fault)
      : page(application, error, fault, request.engine?.path);
  Object.assign(reply.headers, fault.headers);
  return reply;
}

/** The same as JSON, where the request would have got a page: clients of an API say little about what they accept. */
export function problemReply(error: Error, application: Application): Reply {
  const fault = faultOf(error);
  const reply = problem(application, error, fault);
  Object.assign(reply.headers, fault.headers);
  return reply;
}

function faultOf(error: Error): Fault {
  const { status = 500, fields, retryAfter } = error as { status?: number; fields?: FieldErrors; retryAfter?: number };
  const code = error instanceof FramewrightError ? error.code : "FW_FAULT";
  const message = error.message.replace(/^FW_\w+: /, "");
  const headers = error instanceof HttpError ? { ...error.headers } : {};
  if (status === 503) headers["retry-after"] ??= String(retryAfter ?? 5);
  return { status, code, message, headers, fields };
}

function log({ log }: Application, error: Error, { status }: Fault, request: RequestContext | undefined): void {
  const where = request ? `${request.method} ${loggedPath(request)}` : "a request";
  log.error({ err: error, status, request: request?.id }, `${where} failed: ${error.message}`);
}

const shown = (application: Application, { status }: Fault) =>
  status < 500 || application.settings.env === "development";

function problem(application: Application, error: Error, fault: Fault): Reply {
  const { status, code, fields } = fault;
  const body = {
    type: "about:blank",
    title: titleOf(application, fault),
    status,
    code,
    ...(shown(application, fault) ? { detail: fault.message } : {}),
    ...(fields && Object.keys(fields).length > 0 ? { errors: fields } : {}),
    ...(application.settings.env === "development" && status >= 500 ? { stack: error.stack?.split("\n") } : {}),
  };
  return new Reply(status, JSON.stringify(body), { "content-type": problemType });
}

/** A portal may have pages of its own for it. The same bytes for every request that ends alike: it holds no path, no form and no token. */
function page(application: Application, error: Error, fault: Fault, portal?: string): Reply {
  const views = faceOf(application.kernel, "views");
  if (!views?.exists(portal, "errors/error")) return literalPage(application, fault, error);
  const { status } = fault;
  const developing = application.settings.env === "development" && status >= 500;
  const locals = {
    status,
    title: titleOf(application, fault),
    message: developing
      ? error.message
      : (application.texts?.t(`errors.${wordedBy(application, fault)}.message`) ?? ""),
    stack: developing ? chain(error) : undefined,
  };
  try {
    const names = [`errors/${status}`, "errors/error"];
    return htmlReply(views.render({ portal, names, layout: "basic", locals }), status);
  } catch (failure) {
    application.log.error({ err: failure }, `the error page failed: ${messageOf(failure)}`);
    return literalPage(application, fault, error);
  }
}

function chain(error: Error): string {
  const cause = error.cause instanceof Error ? `\n\ncaused by ${chain(error.cause)}` : "";
  return (error.stack ?? error.message) + cause;
}

function literalPage(application: Application, fault: Fault, error?: Error): Reply {
  const { status } = fault;
  const title = escapeHtml(titleOf(application, fault));
  const detail =
    error && status >= 500 && application.settings.env === "development"
      ? `<pre>${escapeHtml(chain(error))}</pre>`
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
/** The catalogue may word the titles otherwise; without one these stand. */
function titleOf(application: Application, fault: Fault): string {
  const { texts } = application;
  const key = `errors.${wordedBy(application, fault)}.title`;
  return texts?.has(key) ? texts.t(key) : (titles[fault.status] ?? "Error");
}
/** A fault has texts of its own under its code, or those of its status. */
const wordedBy = ({ texts }: Application, { code, status }: Fault): string | number =>
  texts?.has(`errors.${code}.title`) ? code : status;
