import type { Knex } from "knex";

/** Set in the config of a knex, which the clients of its transactions share. */
const off = Symbol("fast paths are off");
interface HasConfig {
  config?: { [off]?: true };
}

/** Has all that this knex reads and writes go through knex and objection. */
export function turnOffFastPaths(knex: Knex): void {
  const client = knex.client as HasConfig;
  client.config = Object.assign(client.config ?? {}, { [off]: true as const });
}

export const isFast = (knex: { client: unknown }): boolean => (knex.client as HasConfig).config?.[off] !== true;
