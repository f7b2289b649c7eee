import type { Plugin } from "framewright/kernel";
import type { DriverFailure } from "framewright/plugins/database";

/** What tests use of the package among the examples. It is compiled by itself, as a package that is installed would be. */
interface FwPostgres {
  postgres(): Plugin;
  failureOf(error: unknown): DriverFailure | undefined;
  serverConfig(address: string): { ssl?: unknown; password?: unknown };
}

export async function fwPostgres(): Promise<FwPostgres> {
  const load = (name: string): Promise<object> =>
    import(new URL(`../examples/fw-postgres/${name}.ts`, import.meta.url).href);
  return Object.assign({}, ...(await Promise.all(["index", "failure", "connect"].map(load)))) as FwPostgres;
}
