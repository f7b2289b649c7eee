import { BlockList, isIP } from "node:net";

/** Networks of IPv4 that no receiver on the internet is in, and addresses by which clouds hand out credentials. */
const REFUSED_V4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32"],
];
/** Of IPv6 what is in `2000::/3`, the addresses of the internet, but for these: Teredo, 6to4, documentation and the like. */
const GLOBAL_V6 = "2000::/3";
const REFUSED_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/** A network as `10.0.0.0/8`, or one address. */
export function isNetwork(text: unknown): boolean {
  if (typeof text !== "string") return false;
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes("%")) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split("/") as [string, string?];
    const type = isIP(address) === 4 ? "ipv4" : "ipv6";
    list.addSubnet(address, bits === undefined ? (type === "ipv4" ? 32 : 128) : Number(bits), type);
  }
  return list;
}

/** Which addresses requests for people's URLs are sent to: those of the internet, and networks that the application allows besides. */
export class Addresses {
  readonly #refusedV4 = listOf(REFUSED_V4);
  readonly #globalV6 = listOf([GLOBAL_V6]);
  readonly #refusedV6 = listOf(REFUSED_V6);
  readonly #allowed: BlockList;

  /** `allowed`: networks as `10.0.0.0/8`. */
  constructor(allowed: readonly string[] = []) {
    this.#allowed = listOf(allowed);
  }

  /** Whether an address may be sent to. One that contains an address of IPv4 by mapping or translation is judged by its own form alone: it is refused. */
  permits(address: string): boolean {
    return this.isAllowed(address) || this.#isPublic(address);
  }
  /** Whether the application allows an address by name: there plain HTTP and other ports may be permitted as well. */
  isAllowed(address: string): boolean {
    const version = isIP(address);
    if (version === 0 || address.includes("%")) return false;
    if (version === 6 && isMapped(address)) return false; // BlockList takes it for the address of IPv4
    return this.#allowed.check(address, version === 4 ? "ipv4" : "ipv6");
  }
  #isPublic(address: string): boolean {
    const version = isIP(address);
    if (version === 4) return !this.#refusedV4.check(address, "ipv4");
    if (version !== 6 || address.includes("%") || isMapped(address)) return false;
    return this.#globalV6.check(address, "ipv6") && !this.#refusedV6.check(address, "ipv6");
  }
}

const isMapped = (address: string): boolean => listOfMapped.check(address, "ipv6") || /^::ffff:/i.test(address);
/** Module-level: never changes. */
const listOfMapped = listOf(["::ffff:0:0/96"]);
