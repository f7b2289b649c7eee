import { errors } from "../../errors.ts";
import { withoutPassword } from "../without_password.ts";

/** A server of a cluster. */
export interface Host {
  readonly host: string;
  readonly port: number;
}

/** A database on one server, or on each server of a cluster. */
export interface MysqlAddress {
  /** User, password, database and options; its host is the first one. */
  readonly url: URL;
  /** In the order in which they are preferred. */
  readonly hosts: readonly Host[];
  /** Whether each process begins at a random one. */
  readonly spread: boolean;
}

const DEFAULT_PORT = 3306;
const PARTS = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/is;
const HOST = /^(\[[0-9a-f:.]+\]|[^\s:@[\]]+)(?::(\d{0,5}))?$/i;

/**
 * Reads the address of a server or of several, which URL has no form for.
 * @throws FW_DATABASE_URL, FW_DATABASE_HOSTS; a password is never quoted
 * @example parseMysqlAddress("mysql://shop:secret@db1:3306,db2,db3/shop?hosts=spread").hosts.length // 3
 */
export function parseMysqlAddress(address: string): MysqlAddress {
  const [, scheme = "", authority = "", rest = ""] = PARTS.exec(address) ?? [];
  const names = authority.slice(authority.lastIndexOf("@") + 1).split(",");
  const user = authority.slice(0, authority.lastIndexOf("@") + 1);
  const single = `${scheme}${user}${names[0]}${rest}`;
  const url = scheme !== "" && URL.canParse(single) ? new URL(single) : undefined;
  const isWhole = url?.pathname.includes("@") === false; // else a "/" in the password ended the hosts
  if (!isWhole || url.pathname.length < 2) throw errors.FW_DATABASE_URL(withoutPassword(address));
  const hosts = names.map((name, index) => hostOf(name, index, address));
  const twice = hosts.find((one, index) => hosts.findIndex((other) => isSame(one, other)) < index);
  if (twice) throw errors.FW_DATABASE_HOSTS(`${twice.host}:${twice.port} stands there twice`);
  return { url, hosts, spread: isSpread(url, hosts) };
}

const isSame = (one: Host, other: Host): boolean => one.host === other.host && one.port === other.port;

function hostOf(name: string, index: number, address: string): Host {
  const [, host, port] = HOST.exec(name) ?? [];
  const number = Number(port || DEFAULT_PORT);
  if (host === undefined || number < 1 || number > 65_535)
    throw errors.FW_DATABASE_HOSTS(
      `number ${index + 1} in ${withoutPassword(address)} is no host, as in db1 or db1:3306`,
    );
  return { host: decodeURIComponent(host.replace(/^\[|\]$/g, "")), port: number };
}

function isSpread(url: URL, hosts: readonly Host[]): boolean {
  const order = url.searchParams.get("hosts") ?? "order";
  if (order !== "order" && order !== "spread")
    throw errors.FW_DATABASE_HOSTS("the option hosts is neither order nor spread");
  if (hosts.length > 1 && url.searchParams.has("socket"))
    throw errors.FW_DATABASE_HOSTS("a socket is one server: leave it out, or name one host");
  return order === "spread" && hosts.length > 1;
}

/** The address of another database on the same servers. */
export function addressWith({ url, hosts }: MysqlAddress, database: string): string {
  const target = new URL(url);
  target.pathname = `/${encodeURIComponent(database)}`;
  if (hosts.length === 1) return target.href;
  const names = hosts.map(({ host, port }) => `${host.includes(":") ? `[${host}]` : encodeURIComponent(host)}:${port}`);
  return target.href.replace(/^([^/]*\/\/(?:[^/@]*@)?)[^/]*/, (_, before: string) => `${before}${names.join(",")}`);
}
