import { promises as dns, type LookupAddress } from "node:dns";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { addressProblem, type Target, type TargetRules, targetOf } from "./target.ts";

/** Bytes of an answer that are read, and those that are stored of it. */
const MAX_READ_BYTES = 4096;
const MAX_STORED_BYTES = 1024;

/** Finds the addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;
/** By DNS, in no thread of the pool: names that are slow to resolve must not delay files. Addresses of IPv4 come first. */
export const resolveName: Resolve = async (hostname) => {
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 });
  const of = async (family: 4 | 6): Promise<LookupAddress[]> => {
    const found = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname));
    return found.map((address) => ({ address, family }));
  };
  const [v4, v6] = await Promise.allSettled([of(4), of(6)]);
  return [v4, v6].flatMap((one) => (one.status === "fulfilled" ? one.value : []));
};

export interface SendOptions extends TargetRules {
  readonly resolve: Resolve;
  /** Of the whole attempt, from the name to the end of the answer. */
  readonly timeoutMs: number;
}
/** Why an attempt failed where it got no status: keys below `webhooks.failures`. */
export type SendFailure =
  | "address"
  | "name"
  | "connection"
  | "certificate"
  | "time"
  | "stopped"
  | "answer"
  | "secret"
  | "internal";

/** What came of an attempt. */
export interface Answer {
  readonly status: number | undefined;
  readonly failure: SendFailure | undefined;
  readonly milliseconds: number;
  /** The first bytes of what was answered, as text. */
  readonly text: string;
}

/**
 * Sends a POST to a URL. The address that its name has now is checked and connected to, so that a name which changes in between
 * leads nowhere else; no redirect is followed, and the whole takes no longer than `timeoutMs`.
 */
export async function send(
  text: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  options: SendOptions,
  stop: AbortSignal,
): Promise<Answer> {
  const start = performance.now();
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([timeout, stop]);
  const failed = (failure: SendFailure): Answer => ({
    status: undefined,
    failure: stop.aborted ? "stopped" : timeout.aborted ? "time" : failure,
    milliseconds: Math.round(performance.now() - start),
    text: "",
  });
  const target = targetOf(text, options);
  if (typeof target === "string") return failed("address");
  let found: readonly LookupAddress[];
  try {
    found = await within(signal, addressesOf(target, options.resolve));
  } catch {
    return failed("name");
  }
  if (found.length === 0) return failed("name");
  if (found.some(({ address }) => addressProblem(target, address, options))) return failed("address");
  try {
    const { status, text: answered } = await exchange(target, found[0]!, headers, body, signal);
    const milliseconds = Math.round(performance.now() - start);
    return { status, failure: undefined, milliseconds, text: answered };
  } catch (error) {
    return failed(failureOf(error));
  }
}

const addressesOf = async ({ hostname }: Target, resolve: Resolve): Promise<readonly LookupAddress[]> => {
  const family = isIP(hostname);
  return family === 0 ? resolve(hostname) : [{ address: hostname, family }];
};

function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

interface Exchanged {
  readonly status: number;
  readonly text: string;
}

/** One request on a connection of its own to one address. */
function exchange(
  { url, hostname, port }: Target,
  { address, family }: LookupAddress,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<Exchanged> {
  const lookup: LookupFunction = (_, { all }, done) =>
    all
      ? (done as (error: null, found: LookupAddress[]) => void)(null, [{ address, family }])
      : done(null, address, family);
  const isSecure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const request: ClientRequest = (isSecure ? httpsRequest : httpRequest)({
      host: hostname,
      port,
      path: url.pathname + url.search,
      method: "POST",
      headers: { ...headers, host: url.host, "content-length": String(Buffer.byteLength(body)), connection: "close" },
      lookup,
      agent: false,
      ...(isSecure && isIP(hostname) === 0 ? { servername: hostname } : {}),
    });
    const abort = () => request.destroy(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    request.on("error", reject);
    request.on("close", () => {
      signal.removeEventListener("abort", abort);
      reject(new Error("the connection was closed"));
    });
    request.on("response", (response) => {
      const status = response.statusCode!;
      signal.removeEventListener("abort", abort);
      // the status decides: what comes after it is read as far as it comes in time
      void firstBytes(response, signal).then((text) => {
        resolve({ status, text });
        request.destroy();
      });
    });
    request.end(body);
  });
}

/** The beginning of an answer as text, whether it ends or not. */
function firstBytes(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener("abort", end);
      resolve(textOf(Buffer.concat(chunks)));
    };
    signal.addEventListener("abort", end, { once: true });
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_READ_BYTES) end();
    });
    response.on("end", end).on("error", end).on("close", end);
  });
}

/** Without what is no text, which databases refuse or pages would show. */
const textOf = (bytes: Buffer): string =>
  bytes
    .subarray(0, MAX_STORED_BYTES)
    .toString("utf8")
    .replace(/\uFFFD+$/, "")
    .replace(/[^\P{Cc}\n\t]/gu, "");

function failureOf(error: unknown): SendFailure {
  const code = String((error as { code?: unknown } | undefined)?.code ?? "");
  if (/^(?:CERT|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL|EPROTO)/.test(code)) return "certificate";
  return /^HPE_/.test(code) ? "answer" : "connection";
}
