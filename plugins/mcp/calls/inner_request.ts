import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import {
  type Application,
  addToOrigin,
  type BaseController,
  notFound,
  type Reply,
  type RequestContext,
  type Route,
} from "framewright/host";

/** A request that a tool call makes: as a program with the same key would send it. */
export interface InnerCall {
  readonly method: string;
  /** Path and query, with the place that the portal is mounted at. */
  readonly url: string;
  /** The route that it is for: an id that leads to another one is no record. */
  readonly route: Route;
  readonly body?: object;
  /** The record's version, as `If-Match` has it. */
  readonly version?: string | undefined;
}

/** Of the request that calls the tool: what is about its own body, cookies, and what clients send of protocols. */
const dropped =
  /^(?:cookie|content-(?:length|type|encoding)|accept|transfer-encoding|connection|expect|te|trailer|upgrade|range|prefer|idempotency-key|if-.*|mcp-.*|turbo-frame|last-event-id)$/;

/** Requests that tool calls make, by what replaces their sockets' messages. */
export class InnerRequests {
  readonly #application: Application;
  readonly #calls = new WeakMap<object, InnerCall>();

  constructor(application: Application) {
    this.#application = application;
  }

  /** Sends it through the application, from the beginning: sign-in, tenant, limits and policies are those of any request. */
  async send({ request }: BaseController, call: InnerCall): Promise<Reply> {
    const raw = messageOf(request, call);
    this.#calls.set(raw, call);
    return this.#application.answer(raw);
  }

  callOf(request: RequestContext): InnerCall | undefined {
    return this.#calls.get(request.raw);
  }

  /** Called for every request of a portal, before its action. @throws HttpError 404 where an argument led to another route */
  enter({ request }: BaseController): void {
    const call = this.callOf(request);
    if (!call) return;
    if (call.route !== request.route) throw notFound();
    addToOrigin({ means: "mcp" });
  }
}

function messageOf({ raw }: RequestContext, { method, url, body, version }: InnerCall): IncomingMessage {
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body));
  const headers: Record<string, string> = {};
  const rawHeaders: string[] = [];
  const add = (name: string, value: string): void => {
    headers[name] = value;
    rawHeaders.push(name, value);
  };
  for (let at = 0; at < raw.rawHeaders.length; at += 2) {
    const name = raw.rawHeaders[at]!.toLowerCase();
    if (dropped.test(name)) continue;
    headers[name] = headerOf(raw, name);
    rawHeaders.push(name, raw.rawHeaders[at + 1]!); // each as often as it came: what proves something must have come once
  }
  add("accept", "application/json");
  if (method !== "GET") {
    add("content-type", "application/json");
    add("content-length", String(bytes.length));
    add("prefer", "handling=strict");
  }
  if (version !== undefined) add("if-match", version);
  const own = { method, url, headers, rawHeaders, socket: raw.socket, complete: true, httpVersion: raw.httpVersion };
  return Object.assign(Readable.from(bytes.length > 0 ? [bytes] : []), own) as unknown as IncomingMessage;
}

function headerOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}
