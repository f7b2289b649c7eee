import type { IncomingMessage } from "node:http";
import { errorTable } from "framewright/kernel";
import { openPinned, within } from "./pinned_request.ts";
import { addressesOf, type Resolve } from "./resolve.ts";
import { addressProblem, type TargetProblem, type TargetRules, targetOf } from "./target.ts";

export const errors = errorTable({
  FW_OUTBOUND: (host: string, problem: TargetProblem | "name" | "size") =>
    `no request is sent to "${host}": ${sentences[problem]}.`,
});

const sentences: Record<TargetProblem | "name" | "size", string> = {
  url_wrong: "it is no URL",
  url_long: "its URL is too long",
  url_scheme: "it is not https",
  url_user: "its URL has a user name",
  url_fragment: "its URL has a fragment",
  url_port: "its port is not among those that are allowed",
  url_private: "it is not an address of the internet",
  name: "its name has no address",
  size: "its answer is too large",
};

export interface GuardedFetchOptions extends TargetRules {
  readonly resolve: Resolve;
  /** Of the whole exchange. */
  readonly timeoutMs: number;
  /** Bytes of an answer. */
  readonly maxBytes: number;
}
/** A request as `fetch` gets it, as far as it is used. */
export interface GuardedRequest {
  readonly method?: string;
  readonly headers?: ConstructorParameters<typeof Headers>[0];
  readonly body?: unknown;
  readonly signal?: AbortSignal | null;
}
export type GuardedFetch = (url: string | URL, request?: GuardedRequest) => Promise<Response>;

/**
 * A `fetch` for URLs that people type: the address that the name has now is checked and connected to, no redirect is followed, no
 * proxy used, and both time and size are limited. @throws FW_OUTBOUND
 */
export function guardedFetch(options: GuardedFetchOptions): GuardedFetch {
  return async (given, request = {}) => {
    const target = targetOf(String(given), options);
    const host = URL.canParse(String(given)) ? new URL(given).host : String(given).slice(0, 100);
    if (typeof target === "string") throw errors.FW_OUTBOUND(host, target);
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
    const found = await within(
      signal,
      addressesOf(target, options.resolve).catch(() => []),
    );
    if (found.length === 0) throw errors.FW_OUTBOUND(host, "name");
    for (const { address } of found) {
      const problem = addressProblem(target, address, options);
      if (problem) throw errors.FW_OUTBOUND(host, problem);
    }
    const body = request.body === undefined || request.body === null ? undefined : Buffer.from(String(request.body));
    const headers = Object.fromEntries(new Headers(request.headers));
    return new Promise<Response>((resolve, reject) => {
      const sent = openPinned(target, found[0]!, { method: request.method ?? "GET", headers, body });
      const abort = () => sent.destroy(signal.reason as Error);
      signal.addEventListener("abort", abort, { once: true });
      sent.on("error", reject).on("close", () => signal.removeEventListener("abort", abort));
      sent.on("response", (response) => {
        read(response, options.maxBytes)
          .then((bytes) => (bytes ? replyOf(response, bytes) : Promise.reject(errors.FW_OUTBOUND(host, "size"))))
          .then(resolve, reject);
      });
      sent.end(body);
    });
  };
}

/** The body of an answer; undefined where it is larger. */
function read(response: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxBytes) return;
      resolve(undefined);
      response.destroy();
    });
    response.on("end", () => resolve(Buffer.concat(chunks))).on("error", reject);
    response.on("close", () => reject(new Error("the connection was closed")));
  });
}

function replyOf(response: IncomingMessage, bytes: Buffer): Response {
  const status = response.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers))
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
  if (status < 200 || status > 599) throw new Error(`the status ${status} is none of an answer`);
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : new Uint8Array(bytes), { status, headers });
}
