import { invalidUrl } from "framewright/plugins/database";
import type { ClientConfig } from "pg";
import { errors } from "./errors.ts";
import { types } from "./values.ts";

/** A server of a row of servers. */
export interface Host {
  readonly host: string;
  readonly port: number;
}
/** A database, on one server or on the one of several that can be written. */
export interface PostgresAddress {
  readonly hosts: readonly Host[];
  /** As `pg` takes it, for the first host. */
  readonly config: ClientConfig;
  readonly database: string;
}

const FORM = "postgres://user:password@host/name, with ?sslmode=verify-full where the connection is to be encrypted";
const DEFAULT_PORT = 5432;
/** Milliseconds that a server may take to let a connection in; less where another one can be tried. */
const CONNECT_TIMEOUT_MS = { one: 5000, several: 1000 };
const PARTS = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/is;
const HOST = /^(\[[0-9a-f:.]+\]|[^\s:@[\]]+)(?::(\d{1,5}))?$/i;
const parameters: ReadonlySet<string> = new Set(["ssl", "sslmode", "socket"]);
/** What requires encryption gets it with the certificate checked; what leaves it to the server is refused. */
const encrypts: Readonly<Record<string, boolean>> = {
  ...{ true: true, false: false, disable: false },
  ...{ require: true, "verify-ca": true, "verify-full": true },
};

interface Parts {
  scheme: string;
  user: string;
  names: readonly string[];
  rest: string;
}
/** URL has no form for several hosts. */
function partsOf(address: string): Parts {
  const [, scheme = "", authority = "", rest = ""] = PARTS.exec(address) ?? [];
  const at = authority.lastIndexOf("@") + 1;
  return { scheme, user: authority.slice(0, at), names: authority.slice(at).split(","), rest };
}

/**
 * Reads the address of a server, or of several.
 * @throws FW_DATABASE_URL, also for a parameter that would be without effect; FW_POSTGRES_HOSTS
 * @example parseAddress("postgres://shop:secret@db1,db2:5433/shop").hosts.length // 2
 */
export function parseAddress(address: string): PostgresAddress {
  const { scheme, user, names, rest } = partsOf(address);
  const single = `${scheme}${user}${names[0]}${rest}`;
  const url = scheme !== "" && URL.canParse(single) ? new URL(single) : undefined;
  const ssl = encrypts[url?.searchParams.get("sslmode") ?? url?.searchParams.get("ssl") ?? "disable"];
  const isKnown = url && [...url.searchParams.keys()].every((name) => parameters.has(name));
  if (!isKnown || ssl === undefined || url.pathname.length < 2 || url.pathname.includes("@"))
    throw invalidUrl(address, FORM);
  const socket = url.searchParams.get("socket");
  if (socket !== null && names.length > 1) throw errors.FW_POSTGRES_HOSTS("a socket is one server");
  const hosts = socket === null ? names.map(hostOf) : [{ host: socket, port: Number(url.port || DEFAULT_PORT) }];
  const database = decodeURIComponent(url.pathname.slice(1));
  const config: ClientConfig = {
    ...hosts[0]!,
    user: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    database,
    ssl: ssl ? { rejectUnauthorized: true } : false,
    connectionTimeoutMillis: hosts.length > 1 ? CONNECT_TIMEOUT_MS.several : CONNECT_TIMEOUT_MS.one,
    types: types as never,
  };
  return { hosts, config, database };
}

function hostOf(name: string, index: number, names: readonly string[]): Host {
  const [, host, digits] = HOST.exec(name) ?? [];
  const port = Number(digits ?? DEFAULT_PORT);
  if (host === undefined || port < 1 || port > 65_535)
    throw errors.FW_POSTGRES_HOSTS(`number ${index + 1} is no host, as in db1 or db1:5432`);
  if (names.indexOf(name) < index) throw errors.FW_POSTGRES_HOSTS(`${name} is named twice`);
  return { host: decodeURIComponent(host.replace(/^\[|\]$/g, "")), port };
}

/** The address of another database on the same servers. */
export function addressOf(address: string, database: string): string {
  const { scheme, user, names, rest } = partsOf(address);
  return `${scheme}${user}${names.join(",")}/${encodeURIComponent(database)}${rest.replace(/^[^?#]*/, "")}`;
}
