import type { LookupAddress } from "node:dns";
import type { IncomingMessage } from "node:http";
import {
  addressesOf,
  addressProblem,
  openPinned,
  type Resolve,
  type Target,
  type TargetRules,
  targetOf,
  within,
} from "framewright/host/outbound";

/** Bytes of an answer that are read, and those that are stored of it. */
const MAX_READ_BYTES = 4096;
const MAX_STORED_BYTES = 1024;

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

interface Exchanged {
  readonly status: number;
  readonly text: string;
}

/** One request on a connection of its own to one address. */
function exchange(
  target: Target,
  address: LookupAddress,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const request = openPinned(target, address, { method: "POST", headers, body });
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
