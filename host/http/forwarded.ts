import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { Settings } from "framewright/kernel";

type Trust = Pick<Settings, "trustProxy" | "trustedProxies">;

/** Addresses and networks (`10.0.0.0/8`, `::1`) as a list to be searched; undefined where one of them is neither. */
export function networksOf(texts: readonly string[]): BlockList | undefined {
  const list = new BlockList();
  for (const text of texts) {
    const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
    const version = isIP(address);
    const most = version === 6 ? 128 : 32;
    if (version === 0 || Number(bits ?? most) > most) return undefined;
    list.addSubnet(address, Number(bits ?? most), familyOf(address));
  }
  return list;
}
const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** Whether the headers of a connection's peer about its own client are trusted. */
export function isBehindProxy({ trustProxy, trustedProxies }: Trust, raw: IncomingMessage): boolean {
  return trustedProxies === undefined ? trustProxy > 0 : isListed(trustedProxies, peerOf(raw));
}
const peerOf = (raw: IncomingMessage): string => raw.socket.remoteAddress ?? "";
function isListed(proxies: BlockList, address: string): boolean {
  return isIP(address) !== 0 && proxies.check(address, familyOf(address)); // 10.1.2.3 also as ::ffff:10.1.2.3
}

/**
 * The client's address: behind N trusted proxies the Nth from the right of X-Forwarded-For; behind listed ones the first
 * from the right that is none of them.
 */
export function clientAddress(trust: Trust, raw: IncomingMessage): string {
  const peer = peerOf(raw);
  if (!isBehindProxy(trust, raw)) return peer;
  const hops = String(raw.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((hop) => hop.trim());
  if (trust.trustedProxies === undefined) return hops.at(-trust.trustProxy) || peer;
  let client = peer;
  for (const hop of hops.reverse()) {
    if (isIP(hop) === 0) break; // what follows was written by nobody who is believed
    client = hop;
    if (!isListed(trust.trustedProxies, hop)) break;
  }
  return client;
}
