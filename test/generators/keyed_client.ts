import { Client } from "../testing/client.ts";

/** The value of a generated portal's setting `<NAME>_API_KEY`. */
export const key = "k".repeat(40);

/** Somebody whom a portal of `fw:pkg:portal --byo` knows by the key. */
export function keyed(url: string): Client {
  const client = new Client(url);
  const request = client.request.bind(client);
  client.request = (path, init = {}) =>
    request(path, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), "x-api-key": key } });
  return client;
}
