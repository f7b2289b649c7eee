import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { isIP, Server as TcpServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "framewright/kernel";
import type { ApplicationContext } from "../app/application_context.ts";
import { withOrigin } from "../app/origin.ts";
import { optionalService } from "../app/ports.ts";
import { reasonNotReady } from "../app/readiness.ts";
import { badRequest, errors, misdirected } from "../errors.ts";
import { createServer, polka } from "../support/node_http.ts";
import { namesOf } from "./acting.ts";
import { compressed, compresses } from "./compression.ts";
import { allowOrigin, preflightReply } from "./cross_origin.ts";
import { replyTo, standardReply } from "./error_reply.ts";
import { loggedPath } from "./logged_path.ts";
import { publicReply } from "./public_cache.ts";
import type { Reply, ReplyStream } from "./reply.ts";
import { varyByLanguage } from "./reply_language.ts";
import { RequestContext } from "./request.ts";
import { RequestDeadlines, type WatchedRequest } from "./request_deadline.ts";
import { replyOfPlugins } from "./request_hooks.ts";
import { securityHeaders } from "./security_headers.ts";
import { sendStream } from "./send_stream.ts";

/** Milliseconds: how long the server that closes takes connections on while more come, and its rounds of looking. */
const MAX_SETTLE_MS = 1000;
const SETTLE_ROUND_MS = 5;
const QUIET_ROUNDS = 3;
/** How long the rest of a refused request is read and discarded. */
const LINGER_MS = 5000;
/** How long a late answer may take where requests may take any time to arrive. */
const ANSWERING_MS = 30_000;

/** An application that answers requests. */
export interface RespondingApplication extends ApplicationContext {
  respond(request: RequestContext): Promise<Reply>;
}

/** The HTTP server of an application: one polka app with one handler, health checks, and a graceful shutdown. */
export class HttpServer {
  readonly #application: RespondingApplication;
  #headers: Record<string, string> = {};
  #isAllowed: (host: string) => boolean = () => false;
  #changesReplies = false;
  #isObserved = false;
  #negotiates = false;
  #compresses = false;
  #server: Server | undefined;
  #stopping = false;
  /** Connections and requests so far. */
  #arrivals = 0;
  readonly #deadlines: RequestDeadlines;
  readonly #onRejection = (reason: unknown) =>
    this.#application.log.error({ err: reason }, `an unawaited promise was rejected: ${messageOf(reason)}`);

  constructor(application: RespondingApplication) {
    this.#application = application;
    this.#deadlines = new RequestDeadlines(application.settings.limits.deadline, (...late) => this.#late(...late));
  }

  /** Listens; port 0 takes any that is free. */
  async listen(port: number, host: string): Promise<{ port: number; url: string }> {
    this.#readPlugins();
    const { limits } = this.#application.settings;
    const options = {
      headersTimeout: Math.min(limits.headersTimeout, limits.requestTimeout || limits.headersTimeout),
      requestTimeout: limits.requestTimeout,
      connectionsCheckingInterval: Math.min(1000, limits.requestTimeout || 1000),
    };
    const server = createServer(options);
    const answering = limits.requestTimeout || ANSWERING_MS;
    if (limits.deadline > 0) server.timeout = limits.deadline + answering; // a client that never reads its answer
    const handler = (req: IncomingMessage, res: ServerResponse) => this.#handle(req, res);
    const onError = (error: unknown, _req: unknown, res: ServerResponse) => this.#lastResort(error, res);
    const app = polka({ server, onError, onNoMatch: handler });
    server.on("request", app.handler as unknown as RequestListener); // polka's listen would put each request off by an immediate
    server.on("connection", () => void this.#arrivals++);
    server.listen(port, host);
    await new Promise<void>((resolve, reject) => server.once("listening", resolve).once("error", reject)).catch(
      (cause: NodeJS.ErrnoException) => {
        throw Object.assign(errors.FW_LISTEN(host, port, listenProblem(cause)), { cause });
      },
    );
    this.#server = server;
    this.#deadlines.open();
    process.on("unhandledRejection", this.#onRejection); // a mistake in one action must not end the process
    const address = server.address();
    const taken = typeof address === "object" && address ? address.port : port;
    return { port: taken, url: `http://${isIP(host) === 6 ? `[${host}]` : host}:${taken}` };
  }

  /** What plugins added until the end of boot, computed once for all requests. */
  #readPlugins(): void {
    const { settings, csp, hosts, log, hooks, observation } = this.#application;
    this.#headers = securityHeaders(settings, csp.sources);
    this.#isAllowed = hosts.matcher(settings, log);
    this.#changesReplies = hooks.reply.taps.length > 0;
    this.#isObserved = observation.isOn;
    this.#compresses = compresses(settings);
    this.#negotiates = this.#application.languages.areSeveral;
  }

  /**
   * Answers what was sent before, also on connections that are not accepted yet, with `Connection: close`; then stops taking
   * connections, lets requests in flight finish, and closes what is left after the shutdown limit. Idle connections are closed
   * at once, or, to drain them, once Node would have closed them anyway.
   */
  async close({ drain = false }: { drain?: boolean } = {}): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#stopping = true;
    await this.#settle();
    const idle = drain ? server.keepAliveTimeout + 1000 : QUIET_ROUNDS * SETTLE_ROUND_MS;
    const closed = new Promise<void>((resolve) => {
      TcpServer.prototype.close.call(server, () => resolve()); // that of HTTP closes idle connections, on which a request may wait
    });
    const drained = setTimeout(() => server.closeIdleConnections(), idle);
    const deadline = setTimeout(() => server.closeAllConnections(), this.#application.settings.limits.shutdown + idle);
    await closed;
    clearTimeout(drained);
    clearTimeout(deadline);
    this.#deadlines.close();
    process.off("unhandledRejection", this.#onRejection);
    this.#server = undefined;
  }

  /** Until nothing more arrives: the system resets the connections that wait for a listener when it closes. */
  async #settle(): Promise<void> {
    const end = performance.now() + MAX_SETTLE_MS;
    for (let quiet = 0; quiet < QUIET_ROUNDS && performance.now() < end; ) {
      const before = this.#arrivals;
      await sleep(SETTLE_ROUND_MS);
      quiet = this.#arrivals === before ? quiet + 1 : 0;
    }
  }

  async #handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const start = performance.now();
    this.#arrivals++;
    if (this.#stopping) res.shouldKeepAlive = false;
    const application = this.#application;
    if (req.url === "/healthz" || req.url === "/readyz") return this.#health(req, res);
    if (optionalService(application.kernel, "assets")?.handle(req, res)) return;
    const cross = application.crossOrigins.of(req);
    let request: RequestContext | undefined;
    let watched: WatchedRequest | undefined;
    let reply: Reply;
    try {
      checkHost(req, this.#isAllowed);
      request = new RequestContext(application, req);
      request.isCrossOrigin = cross?.origin !== undefined;
      if (this.#isObserved) application.observation.started(request);
      watched = this.#deadlines.watch(request, res);
      reply = preflightReply(cross, req) ?? (await application.respond(request));
    } catch (error) {
      reply = await replyTo(error, application, request);
    } finally {
      if (watched) this.#deadlines.unwatch(watched);
    }
    if (cross) allowOrigin(reply, cross);
    if (request) reply = this.#finished(reply, request, res);
    if (this.#compresses) {
      const smaller = compressed(reply, req);
      reply = smaller instanceof Promise ? await smaller : smaller;
    }
    const isSent = this.#send(reply, req, res);
    if (isSent && reply.stream && request) await this.#stream(reply.stream, request, res);
    void request?.discardUploads();
    this.#ended(req, request, reply.status, performance.now() - start);
  }

  #ended({ method = "" }: IncomingMessage, request: RequestContext | undefined, status: number, ms: number): void {
    const { log, observation } = this.#application;
    if (log.isLevelEnabled("info")) {
      const path = request ? loggedPath(request) : "(malformed)";
      log.info({ method, path, status, ms, trace: request?.trace.traceId, ...namesOf(request?.acting) }, "request");
    }
    if (!this.#isObserved) return;
    if (request) observation.ended(request, status);
    else observation.refused(method, status, ms);
  }

  /** A reply with what it depends on, as plugins leave it. */
  #finished(reply: Reply, request: RequestContext, res: ServerResponse): Reply {
    if (this.#negotiates) varyByLanguage(reply, request);
    if (res.headersSent || res.destroyed) return reply;
    const changed = this.#changesReplies ? replyOfPlugins(this.#application, reply, request) : reply;
    return request.publicMaxAge > 0 ? publicReply(changed, request) : changed;
  }

  /** Whether the reply was sent; of a stream its head. */
  #send(reply: Reply, req: IncomingMessage, res: ServerResponse): boolean {
    if (res.headersSent || res.destroyed) return false;
    const { status, body, headers, stream } = reply;
    const length = typeof body === "string" ? Buffer.byteLength(body) : body.length;
    headers["cache-control"] ??= "private, no-cache";
    if (status !== 204 && status !== 304 && !stream) headers["content-length"] = String(length);
    if (this.#stopping || !req.complete) headers.connection = "close"; // an unread body must not be taken for the next request
    res.writeHead(status, headerList(this.#headers, headers));
    if (stream) return true;
    const sent = req.method === "HEAD" ? undefined : body;
    if (!req.complete) endUnread(req, res, sent);
    else endWhole(res, sent, length === body.length ? "latin1" : "utf8"); // plain ASCII, or bytes: nothing to encode
    return true;
  }

  /** Beyond the request's deadline: only a client that takes nothing for as long ends it. */
  async #stream(stream: ReplyStream, request: RequestContext, res: ServerResponse): Promise<void> {
    const { log, tracksOrigins } = this.#application;
    if (request.method === "HEAD") return void res.end();
    request.raw.resume();
    const send = () => sendStream(res, stream);
    try {
      await (tracksOrigins ? withOrigin({ request }, send) : send());
    } catch (error) {
      const details = { err: error, request: request.id, trace: request.trace.traceId };
      log.error(details, `${request.method} ${loggedPath(request)} broke off: ${messageOf(error)}`);
    }
  }

  #late(error: Error, request: RequestContext, res: ServerResponse): void {
    const { log, observation } = this.#application;
    log.error({ err: error, status: 503, request: request.id, trace: request.trace.traceId }, error.message);
    const reply = standardReply(error, this.#application, request);
    this.#send(this.#finished(reply, request, res), request.raw, res);
    if (this.#isObserved) observation.ended(request, reply.status);
  }

  async #health({ method, url }: IncomingMessage, res: ServerResponse): Promise<void> {
    if (method !== "GET" && method !== "HEAD") {
      res.setHeader("allow", "GET, HEAD, OPTIONS");
      return this.#plain(res, method === "OPTIONS" ? 204 : 405, "");
    }
    if (url === "/healthz") return this.#plain(res, 200, "ok");
    if (this.#stopping) return this.#plain(res, 503, "stopping");
    const reason = await reasonNotReady(this.#application);
    this.#plain(res, reason === undefined ? 200 : 503, reason ?? "ready");
  }

  #plain(res: ServerResponse, status: number, text: string): void {
    const own = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
    const headers = Object.assign({}, this.#headers, own);
    res.writeHead(status, headers).end(text);
  }

  #lastResort(error: unknown, res: ServerResponse): void {
    this.#application.log.error({ err: error }, "a request failed outside its handler");
    if (!res.headersSent) this.#plain(res, 500, "Internal server error");
  }
}

/** Why the system refuses an address, and what to do. */
function listenProblem(error: NodeJS.ErrnoException): string {
  if (error.code === "EADDRINUSE") return "another process listens there. End it, or choose another port: PORT=3001.";
  if (error.code === "EACCES") return "this user may not. Choose a port above 1023: PORT=3000.";
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return "this machine has no such address. Correct HOST, as in HOST=127.0.0.1.";
  return messageOf(error);
}

/** Fast path: headers as one flat list, which Node writes without checks. A header of the reply replaces the standard one. */
function headerList(standard: Record<string, string>, own: Reply["headers"]): (string | string[])[] {
  for (const name in own) if (name in standard) return Object.entries({ ...standard, ...own }).flat(1);
  const list: (string | string[])[] = [];
  for (const name in standard) list.push(name, standard[name]!);
  for (const name in own) list.push(name, own[name]!);
  return list;
}

/** Sends head and body in one write, without concatenating them. */
function endWhole(res: ServerResponse, body: string | Buffer | undefined, encoding: BufferEncoding): void {
  res.cork(); // until the end
  res.flushHeaders();
  res.end(body, encoding);
}

/** Answers and reads on for a while: a client that is still sending when the connection closes would not see the answer. */
function endUnread(req: IncomingMessage, res: ServerResponse, body: string | Buffer | undefined): void {
  res.flushHeaders();
  if (body !== undefined && body.length > 0) res.write(body);
  const end = () => {
    clearTimeout(timer);
    res.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  req.once("end", end).once("close", end).resume();
}

/**
 * One Host header, and one that is served here: a foreign name must not reach links, tokens or caches. One Authorization
 * at most: a proxy may have looked at the other.
 */
function checkHost(req: IncomingMessage, isAllowed: (host: string) => boolean): void {
  let hosts = 0;
  let authorizations = 0;
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    const { length } = req.rawHeaders[index]!;
    if (length === 4 && req.rawHeaders[index]!.toLowerCase() === "host") hosts++;
    if (length === 13 && req.rawHeaders[index]!.toLowerCase() === "authorization") authorizations++;
  }
  if (authorizations > 1) throw badRequest("there is more than one Authorization header.");
  const host = req.headers.host;
  if (hosts !== 1 || host === undefined || !/^[\w.-]+(:\d{1,5})?$|^\[[0-9a-f:]+\](:\d{1,5})?$/i.test(host))
    throw misdirected();
  if (!isAllowed(host)) throw misdirected();
}
