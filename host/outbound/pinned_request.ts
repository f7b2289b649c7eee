import type { LookupAddress } from "node:dns";
import { type ClientRequest, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { pinnedTo } from "./resolve.ts";
import type { Target } from "./target.ts";

export interface PinnedRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Its length is sent along; `end` sends it. */
  readonly body: Buffer | string | undefined;
}

/** Opens a request on a connection of its own to an address that was checked, whatever the name of its URL leads to by now. */
export function openPinned(
  { url, hostname, port }: Target,
  address: LookupAddress,
  { method, headers, body }: PinnedRequest,
): ClientRequest {
  const isSecure = url.protocol === "https:";
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return (isSecure ? httpsRequest : httpRequest)({
    ...{ host: hostname, port, path: url.pathname + url.search, method, agent: false },
    headers: { ...headers, host: url.host, ...length, connection: "close" },
    lookup: pinnedTo(address),
    ...(isSecure && isIP(hostname) === 0 ? { servername: hostname } : {}),
  });
}

/** The result of the work, unless the signal comes first. @throws its reason */
export function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
