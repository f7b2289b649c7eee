import { promises as dns, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";

/** Finds the addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** By DNS, in no thread of the pool: names that are slow to resolve must not delay files. Addresses of IPv4 come first. */
export const resolveName: Resolve = async (hostname) => {
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 });
  const of = async (family: 4 | 6): Promise<LookupAddress[]> => {
    const found = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname));
    return found.map((address) => ({ address, family }));
  };
  const [v4, v6] = await Promise.allSettled([of(4), of(6)]);
  return [v4, v6].flatMap((one) => (one.status === "fulfilled" ? one.value : []));
};

/** The addresses of a host, which may be one itself. */
export const addressesOf = async (
  { hostname }: { readonly hostname: string },
  resolve: Resolve,
): Promise<readonly LookupAddress[]> => {
  const family = isIP(hostname);
  return family === 0 ? resolve(hostname) : [{ address: hostname, family }];
};

/** Connects a request to the address that was checked, whatever its name leads to by now. */
export function pinnedTo({ address, family }: LookupAddress): LookupFunction {
  return (_, { all }, done) =>
    all
      ? (done as (error: null, found: LookupAddress[]) => void)(null, [{ address, family }])
      : done(null, address, family);
}
