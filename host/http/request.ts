import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { parseCookie, stringifySetCookie } from "cookie";
import type { Kernel, Settings } from "framewright/kernel";
import type { ApplicationContext } from "../app/application_context.ts";
import type { Engine } from "../app/mounted_engine.ts";
import { currentTrace } from "../app/origin.ts";
import { optionalService } from "../app/ports.ts";
import type { Authentication } from "../controllers/authentication.ts";
import type { BaseController } from "../controllers/controller.ts";
import { badRequest, unprocessable } from "../errors.ts";
import type { Route } from "../routing/route.ts";
import { assumedZone, type TimeZone, zoneOf } from "../support/time_zone.ts";
import type { Acting } from "./acting.ts";
import { readBody } from "./body.ts";
import { Flash } from "./flash.ts";
import { parseForm } from "./form_body.ts";
import { clientAddress, isBehindProxy } from "./forwarded.ts";
import { hostNameOf } from "./host_name.ts";
import { NUMBER_PREFIX, readLocalNumbers } from "./local_numbers.ts";
import { type ParamObject, Params } from "./params.ts";
import type { RequestContext as HostRequest } from "./request.ts";
import { safeLocation } from "./safe_location.ts";
import { Session } from "./session.ts";
import { TraceContext } from "./trace_context.ts";
import { UploadSpool } from "./uploaded_file.ts";

declare module "framewright/kernel" {
  interface RequestContext extends HostRequest {}
}

/** One request with everything that is known of it: passed along, never global. */
export class RequestContext {
  readonly application: ApplicationContext;
  readonly raw: IncomingMessage;
  /** The HTTP method: `_method` of a form's body, else the request's own. */
  method: string;
  /** The path without query and without a `.json` suffix. */
  readonly path: string;
  /** The text after `?`. */
  readonly search: string;
  readonly format: "html" | "json";
  /** The values of the body; empty until it is read. */
  body = new Params();
  /** The values of the route's parameters, decoded. */
  routeParams: Record<string, string> = {};
  route: Route | undefined;
  engine: Engine | undefined;
  /** The part of the path before the engine's routes, as in `/customer/1`. */
  mountPath = "";
  /** Values of plugins, by symbol or name. */
  readonly locals: Record<string | symbol, unknown> = {};
  /** The mode of authentication of the controller that is about to answer. */
  authentication: Authentication | undefined;
  /** The controller that answers. */
  controller: BaseController | undefined;
  /** The Set-Cookie lines that the answer carries besides the session's. */
  readonly setCookies: string[] = [];
  /** The fields of this page's form that were typed before a sign-in interrupted; the page that shows the form takes them. */
  typed: { take(): ParamObject } | undefined;
  session = new Session();
  /** Set where an account acts for another person in this browser. */
  acting: Acting | undefined = undefined;
  readonly flash = new Flash(this);
  readonly startedAt = performance.now();
  #id: string | undefined;
  #trace: TraceContext | undefined;
  #cookies: Record<string, string | undefined> | undefined;
  #params: Params | undefined;
  #query: Params | undefined;
  /** Whether a page of an allowed other origin sent it: its cookies are ignored. */
  isCrossOrigin = false;
  /** Nobody waits for an answer: a job acts for a person who started it earlier. It has no session and no body. */
  isBackground = false;
  /** Seconds for which caches may keep the answer, as its route sets; 0 for not at all. */
  publicMaxAge = 0;
  /** A background request is of somebody whose browser sent a zone when it was started. */
  givenTimeZone: string | undefined;
  #timeZone: TimeZone | undefined;
  /** A background request is of somebody who had a language when it was started. */
  givenLocale: string | undefined;
  #locale: string | undefined;
  #carriesSession = false;
  #opened = false;
  #reading: Promise<void> | undefined;
  #spool: UploadSpool | undefined;

  constructor(application: ApplicationContext, raw: IncomingMessage) {
    this.application = application;
    this.raw = raw;
    this.method = raw.method ?? "GET";
    const url = raw.url ?? "/";
    const mark = url.indexOf("?");
    const path = mark < 0 ? url : url.slice(0, mark);
    this.search = mark < 0 ? "" : url.slice(mark + 1);
    const suffixed = path.endsWith(".json");
    this.path = suffixed ? path.slice(0, -5) : path;
    this.format = suffixed || wantsJson(raw.headers) ? "json" : "html";
    if (!/^\/[^\\\0]*$/.test(this.path) || UNCLEAN_PATH.test(this.path)) throw badRequest("the path is malformed.");
  }

  get kernel(): Kernel {
    return this.application.kernel;
  }
  get settings(): Settings {
    return this.application.settings;
  }
  /** The time, as of performance.now(), at which the request is answered 503. */
  get deadline(): number {
    const { deadline } = this.settings.limits;
    return deadline > 0 ? this.startedAt + deadline : Number.POSITIVE_INFINITY;
  }
  get id(): string {
    this.#id ??= randomUUID();
    return this.#id;
  }
  /** The trace that the request is part of: the caller's, by its `traceparent`, or one that begins here. A background request has its job's. */
  get trace(): TraceContext {
    if (this.#trace) return this.#trace;
    const { traceparent, tracestate } = this.raw.headers;
    this.#trace = (this.isBackground ? currentTrace() : undefined) ?? new TraceContext({ traceparent, tracestate });
    return this.#trace;
  }
  header(name: string): string | undefined {
    const value = this.raw.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }
  /** A header that proves something: its text where it came exactly once and is not empty. A proxy may have looked at another one. */
  singleHeader(name: string): string | undefined {
    const { rawHeaders } = this.raw;
    const wanted = name.toLowerCase();
    let found: string | undefined;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      if (rawHeaders[at]!.toLowerCase() !== wanted) continue;
      if (found !== undefined) return undefined;
      found = rawHeaders[at + 1]!.trim();
    }
    return found === "" ? undefined : found;
  }
  get cookies(): Record<string, string | undefined> {
    this.#cookies ??= this.cookieless ? {} : parseCookie(this.raw.headers.cookie ?? "");
    return this.#cookies;
  }
  /** A cookie of our own, by the name that it has over this connection. */
  cookie(name: string): string | undefined {
    const value = this.cookies[this.#cookieName(name)];
    const { hostCookies } = this.application;
    return value === undefined || !hostCookies ? value : hostCookies.open(name, value, this.hostname);
  }
  /** Sets an HttpOnly cookie; `maxAge` in seconds, 0 deletes it. */
  setCookie(name: string, value: string, maxAge: number): void {
    const { secureCookies: secure, cookies } = this.settings;
    const attributes = { path: cookies.path, httpOnly: true, sameSite: "lax", secure } as const;
    const bound = this.application.hostCookies?.bind(name, value, this.hostname) ?? value;
    this.setCookies.push(stringifySetCookie({ name: this.#cookieName(name), value: bound, maxAge, ...attributes }));
  }
  #cookieName(name: string): string {
    return this.settings.cookies.prefix + name;
  }
  get query(): Params {
    this.#query ??= new Params(this.#readQuery());
    return this.#query;
  }
  #readQuery(): ParamObject {
    const values = parseForm(this.search);
    return this.search.includes(NUMBER_PREFIX) ? readLocalNumbers(values) : values;
  }
  /** Path, query and body in one; the path wins, then the body. */
  get params(): Params {
    this.#params ??= new Params(merge(this.query, this.body, this.routeParams));
    return this.#params;
  }
  /** Reads the body, once. @throws HttpError 400, 408, 413, 415 */
  readBody(): Promise<void> {
    this.#reading ??= this.#readBody();
    return this.#reading;
  }
  async #readBody(): Promise<void> {
    this.#spool = new UploadSpool();
    this.setBody(await readBody(this.raw, this.settings.limits, this.#spool));
  }
  /** The request is answered: its files can't be read any more. */
  discardUploads(): Promise<void> | undefined {
    return this.#spool?.close();
  }
  setBody(values: ParamObject): void {
    this.body = new Params(values);
    this.#params = undefined;
  }

  /** The scheme and host that the client used; proxies are trusted as `TRUST_PROXY` sets. */
  get origin(): string {
    return `${this.secure ? "https" : "http"}://${this.header("host") ?? "localhost"}`;
  }
  /** The name in `Host`, in lower case and without a port. X-Forwarded-Host is never looked at. */
  get hostname(): string {
    return hostNameOf(this.header("host") ?? "localhost");
  }
  get secure(): boolean {
    if (isBehindProxy(this.settings, this.raw)) {
      const forwarded = this.header("x-forwarded-proto");
      if (forwarded) return forwarded.split(",")[0]!.trim() === "https";
    }
    return this.settings.secureCookies;
  }
  /** The client's address, as the proxies that the settings trust say. */
  get address(): string {
    return clientAddress(this.settings, this.raw);
  }
  /** The id of the Turbo frame that requests it, if one does. */
  get frame(): string | undefined {
    const id = this.header("turbo-frame");
    return id !== undefined && /^[\w-]{1,100}$/.test(id) ? id : undefined;
  }
  /** The account that really acts, where this account of the request is one acted for; else undefined. */
  actorFor(user: unknown): object | undefined {
    return this.acting !== undefined && this.acting.person === user ? this.acting.actor : undefined;
  }
  /** HEAD, prefetch, or sent by a page itself: it must have no side effects. */
  get isSpeculative(): boolean {
    return this.raw.method === "HEAD" || this.#purpose?.startsWith("prefetch") === true || this.isUnattended;
  }
  /** A page sent it by itself, without a person: a stream of events, or `X-Sec-Purpose: prefetch;follow`. No session lasts longer by it. */
  get isUnattended(): boolean {
    return this.header("accept") === "text/event-stream" || this.#purpose === "prefetch;follow";
  }
  get #purpose(): string | undefined {
    return this.header("sec-purpose") ?? this.header("x-sec-purpose") ?? this.header("purpose") ?? this.header("x-moz");
  }
  get bearer(): string | undefined {
    return /^bearer (.+)$/i.exec(this.header("authorization") ?? "")?.[1];
  }
  /** The request speaks JSON: its body is, or it has none and accepts some. */
  get isJson(): boolean {
    const type = this.header("content-type");
    return type === undefined ? this.format === "json" : /^application\/(?:[\w.]+\+)?json\b/i.test(type);
  }
  /** Whether cookies are ignored, as for bearer tokens. */
  get cookieless(): boolean {
    return this.isCrossOrigin || this.bearer !== undefined;
  }
  get carriesSession(): boolean {
    return this.#carriesSession;
  }

  /** Opens the session, once. Returns a promise only where the plugin of the slot "sessions" is asynchronous. */
  openSession(): Promise<void> | undefined {
    const sessions =
      this.#opened || this.cookieless || this.isBackground ? undefined : optionalService(this.kernel, "sessions");
    if (!sessions) return undefined;
    this.#opened = true;
    this.#carriesSession = sessions.cookieNames.some((name) => this.cookies[name] !== undefined);
    const session = sessions.open(this);
    if (session instanceof Promise) return session.then((opened) => this.#setSession(opened));
    this.#setSession(session);
    return undefined;
  }
  #setSession(session: Session): void {
    this.application.hostCookies?.bindSession(session, this.hostname);
    this.session = session;
  }
  forgetSession(): void {
    this.#setSession(new Session());
  }

  /**
   * The time zone in which the person reads and enters times: that of the account, by its `time_zone`, else the browser's, by
   * the cookie `fw_zone` that the pages' script sets, else the application's (`TIME_ZONE`), which is assumed.
   */
  get timeZone(): TimeZone {
    if (this.#timeZone) return this.#timeZone;
    const { currentUser, isEntered } = this.controller ?? {};
    const chosen = (currentUser as { time_zone?: unknown } | undefined)?.time_zone;
    const zone = zoneOf(chosen) ?? zoneOf(this.givenTimeZone ?? this.cookies.fw_zone);
    const found = zone ?? assumedZone(this.settings.timeZone);
    if (isEntered) this.#timeZone = found; // before that the account may not be known yet
    return found;
  }

  /**
   * The language of the person, one of those that the application offers: that of the account, by its `locale`, else the one
   * that was chosen in this browser (the cookie `fw_locale`), else what `Accept-Language` prefers, else the application's own.
   */
  get locale(): string {
    const { languages } = this.application;
    if (!languages.areSeveral) return languages.own;
    if (this.#locale !== undefined) return this.#locale;
    const { currentUser, isEntered } = this.controller ?? {};
    const chosen = languages.find((currentUser as { locale?: unknown } | undefined)?.locale);
    const found = chosen ?? languages.find(this.givenLocale ?? this.cookies[LOCALE_COOKIE]);
    const locale = found ?? languages.accepted(this.header("accept-language"));
    if (isEntered) this.#locale = locale; // before that the account may not be known yet
    return locale;
  }

  /** Chooses one of the offered languages for this browser, and calls plugins, which may store it. @throws HttpError 422 */
  async chooseLocale(name: unknown): Promise<void> {
    const { languages, hooks } = this.application;
    const locale = languages.find(name);
    if (locale === undefined) throw unprocessable("choose one of the languages that are offered.");
    const { secureCookies: secure, cookies } = this.settings;
    const attributes = { path: cookies.path, httpOnly: true, sameSite: "lax", secure } as const;
    const line = { name: LOCALE_COOKIE, value: locale, maxAge: LOCALE_SECONDS, ...attributes };
    this.setCookies.push(stringifySetCookie(line));
    await hooks.locale.promise(locale, this);
  }

  /** A redirect target that the client may influence, or undefined when it is not safe to follow. */
  safeLocation(given: unknown, forbidden: readonly string[] = []): string | undefined {
    return safeLocation(given, { origin: this.origin, forbidden, base: this.settings.basePath });
  }
  /** The page that the client came from, when it is one of ours. */
  get referer(): string | undefined {
    return this.safeLocation(this.header("referer"));
  }

  /** Looks a text up in the `i18n` slot, in the person's language. */
  t(key: string, vars?: Record<string, unknown>): string {
    return this.application.texts?.t(key, vars, this.locale) ?? key;
  }
  /** As t, with a default for a text that the catalogue lacks. */
  tOr(key: string, otherwise: string, vars?: Record<string, unknown>): string {
    const { texts } = this.application;
    const count = typeof vars?.count === "number" ? vars.count : undefined;
    return texts?.has(key, this.locale, count) ? texts.t(key, vars, this.locale) : otherwise;
  }
}

/** What was chosen in a browser, which is looked up among the offered languages. */
const LOCALE_COOKIE = "fw_locale";
const LOCALE_SECONDS = 31_536_000;
const UNCLEAN_PATH = /\/\/|\/\.{1,2}(?:\/|$)|%(?:00|(?![0-9a-f]{2}))/i;
const JSON_FIRST = /^application\/(?:[\w.]+\+)?json\b/i;
/** JSON where it is accepted by name, and no page is preferred; for bearer tokens unless they ask for a page. */
const wantsJson = ({ accept = "", authorization = "" }: IncomingMessage["headers"]) =>
  (JSON_FIRST.test(accept) && !(accept.includes("q=") && prefersPage(accept))) ||
  (/^bearer /i.test(authorization) && !/\btext\/html\b/i.test(accept));
/** Whether a page has a greater weight than JSON, which is first: `application/json;q=0.1, text/html`. */
function prefersPage(accept: string): boolean {
  const types = accept.split(",");
  const page = types.find((type) => /^\s*text\/html\b/i.test(type));
  return page !== undefined && weightOf(page) > weightOf(types[0]!);
}
const weightOf = (type: string): number => Number(/;\s*q=([\d.]+)/i.exec(type)?.[1] ?? 1);

function merge(query: Params, body: Params, path: Record<string, string>): ParamObject {
  return Object.assign(query.toObject(), body.toObject(), path);
}

/** The request's address with another text in one segment of its path. */
export function movedPath({ raw, path, search }: RequestContext, position: number, text: string): string {
  const segments = path.split("/").slice(1);
  segments[position] = encodeURIComponent(text);
  const suffix = raw.url?.split("?")[0]?.endsWith(".json") ? ".json" : "";
  return `/${segments.join("/")}${suffix}${search === "" ? "" : `?${search}`}`;
}
