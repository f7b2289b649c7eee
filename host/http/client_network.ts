import { isIPv6 } from "node:net";

/** The network by which a client is counted: an IPv4 address, or the /64 prefix of an IPv6 address. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = "", tail] = address.split("%", 1)[0]!.split("::");
  const [left, right] = [head, tail ?? ""].map((half) => half.split(":").filter(Boolean));
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left!.length - right!.length)).fill("0");
  return [...left!, ...zeros, ...right!].slice(0, 4).join(":");
}
