import type { Driver, Replication } from "../drivers/driver.ts";
import { errors } from "../errors.ts";

/** An address of a replica. */
export interface ReplicaAddress {
  readonly url: string;
  /** Host and port, without user and password. */
  readonly name: string;
}

/** An address has commas of its own only where it names several hosts, and a password may have them. */
const SEPARATOR = /\s*,\s*(?=[a-z][a-z0-9+.-]*:\/\/)/i;
const HOSTS = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#@]*)\//i;

/**
 * The replicas that DATABASE_REPLICA_URLS names for the database of a driver.
 * @throws FW_DATABASE_REPLICAS; a password is never quoted
 */
export function replicaAddresses(
  text: string,
  primary: { driver: Driver; url: string },
): { replication: Replication; addresses: ReplicaAddress[] } {
  const { name, protocols, replication } = primary.driver;
  if (!replication)
    throw errors.FW_DATABASE_REPLICAS(`the driver "${name}", which opens DATABASE_URL, reads no replicas`);
  if (HOSTS.exec(primary.url)?.[1]?.includes(","))
    throw errors.FW_DATABASE_REPLICAS("DATABASE_URL names several hosts, and replicas follow one");
  const urls = text.trim().split(SEPARATOR);
  return { replication, addresses: urls.map((url, index) => addressOf(url, index, protocols)) };
}

function addressOf(url: string, index: number, protocols: readonly string[]): ReplicaAddress {
  const name = HOSTS.exec(url)?.[1] ?? "";
  const scheme = url.slice(0, url.indexOf(":")).toLowerCase();
  if (name === "" || !URL.canParse(url) || !protocols.includes(scheme))
    throw errors.FW_DATABASE_REPLICAS(
      `number ${index + 1} is no address of one server, as mysql://user:password@db2:3306/name`,
    );
  if (name.includes(",")) throw errors.FW_DATABASE_REPLICAS(`number ${index + 1} names several hosts`);
  return { url, name };
}
