import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

/** What `fetch` takes, and the host name that is requested: `{ host: "acme.localhost" }`. */
export interface HostedInit extends RequestInit {
  /** The `Host` header, with a port or without: the address of the server stays the same. */
  host?: string | undefined;
}

/** As `fetch`, which follows no redirect, with a `Host` header where one is given: `fetch` itself sends that of the address. */
export async function fetchAt(url: string, { host, ...init }: HostedInit = {}): Promise<Response> {
  if (host === undefined) return fetch(url, { redirect: "manual", ...init });
  const { method, headers, body: given } = new Request(url, init);
  const body = given && Buffer.from(await new Response(given).arrayBuffer());
  const own = { ...Object.fromEntries(headers), host, ...(body && { "content-length": String(body.length) }) };
  const send = url.startsWith("https:") ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const options = { method, headers: own, ...(init.signal && { signal: init.signal }) };
    const sent = send(url, options, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part)).on("error", reject);
      answer.on("end", () => resolve(responseOf(answer.statusCode!, answer.headersDistinct, Buffer.concat(parts))));
    });
    sent.on("error", reject).end(body ?? undefined);
  });
}

function responseOf(status: number, lines: NodeJS.Dict<string[]>, bytes: Buffer<ArrayBuffer>): Response {
  const headers = Object.entries(lines).flatMap(([name, values]) =>
    values!.map((value): [string, string] => [name, value]),
  );
  const isBare = status === 204 || status === 205 || status === 304;
  return new Response(isBare ? null : bytes, { status, headers });
}
