import type { TableShard } from "./shard_keys.ts";
import { type StatementShape, shapeOf } from "./statement_shape.ts";

/**
 * `shard`: one shard has it. `none`: no tenant's table is in it. `id`: the tenant is not named, but the row's key, so that
 * an index from keys to shards finds it. `join`: tenants' rows with rows that all tenants share. `every`: every shard is queried.
 */
export type StatementReach = "shard" | "none" | "id" | "join" | "every";

export interface ReportedStatement {
  reach: StatementReach;
  count: number;
  tables: readonly string[];
  /** Without values. */
  text: string;
}
export interface ShardReport {
  statements: Readonly<Record<StatementReach, number>>;
  /** The different statements that need more than one shard or kind of table, the most frequent first. */
  crossing: readonly ReportedStatement[];
  transactions: {
    count: number;
    /** Those that write the rows of two tenants, or of a tenant and of shared tables: their commit is one on several servers. */
    crossing: number;
    /** What those wrote, by count: `posts, framewright_jobs`. */
    written: readonly { tables: string; count: number }[];
  };
  /** Tables of tenants without a column that names the tenant. */
  indirect: readonly { table: string; over: readonly string[] }[];
}

interface OpenTransaction {
  places: Set<string>;
  tables: Set<string>;
}

/** Counts statements of a log by the shards that they need, where the rows of each tenant are on one. */
export class ShardCounter {
  readonly #tables: ReadonlyMap<string, TableShard>;
  readonly #found = new Map<string, ReportedStatement>();
  readonly #statements: Record<StatementReach, number> = { shard: 0, none: 0, id: 0, join: 0, every: 0 };
  readonly #open = new Map<string, OpenTransaction>();
  readonly #written = new Map<string, number>();
  #transactions = 0;

  constructor(tables: ReadonlyMap<string, TableShard>) {
    this.#tables = tables;
  }

  add(connection: string, sql: string): void {
    const shape = shapeOf(sql);
    if (shape.verb === "begin") this.#open.set(connection, { places: new Set(), tables: new Set() });
    if (shape.verb === "end") this.#end(connection);
    if (shape.tables.size === 0) return;
    const pinned = this.#pinned(shape);
    const reach = this.#reachOf(shape, pinned);
    this.#statements[reach]++;
    this.#note(shape, reach);
    if (shape.verb !== "select") this.#write(connection, shape, pinned);
  }

  report(): ShardReport {
    const crossing = [...this.#found.values()].filter(({ reach }) => reach !== "shard" && reach !== "none");
    const indirect = [...this.#tables].flatMap(([table, shard]) =>
      shard.kind === "indirect" ? [{ table, over: shard.over }] : [],
    );
    const written = [...this.#written].map(([tables, count]) => ({ tables, count }));
    return {
      statements: this.#statements,
      crossing: crossing.sort((a, b) => b.count - a.count),
      transactions: {
        count: this.#transactions,
        crossing: written.reduce((sum, { count }) => sum + count, 0),
        written: written.sort((a, b) => b.count - a.count),
      },
      indirect,
    };
  }

  /** The names of tables whose tenant the statement fixes, with it where it is known. */
  #pinned({ tables, values, equal }: StatementShape): Map<string, string | undefined> {
    const keys = new Map<string, string>();
    for (const [name, table] of tables) {
      const shard = this.#tables.get(table);
      if (shard?.kind === "key") keys.set(`${name}.${shard.column}`, name);
    }
    const fixed = new Map(values.filter(([column]) => keys.has(column)));
    for (let before = -1; before !== fixed.size; ) {
      before = fixed.size;
      for (const [one, other] of equal)
        for (const [from, to] of [
          [one, other],
          [other, one],
        ] as const)
          if (fixed.has(from) && keys.has(to) && !fixed.has(to)) fixed.set(to, fixed.get(from));
    }
    return new Map([...fixed].map(([column, value]) => [keys.get(column)!, value]));
  }

  #reachOf(shape: StatementShape, pinned: ReadonlyMap<string, unknown>): StatementReach {
    const names = [...shape.tables];
    const ofTenants = names.filter(([, table]) => this.#tables.has(table));
    if (ofTenants.length === 0) return "none";
    if (ofTenants.length < names.length) return "join";
    const loose = ofTenants.filter(([name]) => !pinned.has(name));
    if (loose.length === 0) return "shard";
    const isByKey = loose.every(([name]) => shape.values.some(([column]) => column === `${name}.id`));
    return isByKey ? "id" : "every";
  }

  #note({ text, tables }: StatementShape, reach: StatementReach): void {
    const found = this.#found.get(text);
    if (found) found.count++;
    else this.#found.set(text, { reach, count: 1, tables: [...new Set(tables.values())], text });
  }

  #write(connection: string, { tables }: StatementShape, pinned: ReadonlyMap<string, string | undefined>): void {
    const open = this.#open.get(connection);
    const [first] = tables;
    if (!open || !first) return;
    const [name, table] = first;
    const place = this.#tables.has(table) ? `tenant ${pinned.get(name) ?? `of ${table}`}` : "shared";
    open.places.add(place);
    open.tables.add(table);
  }
  #end(connection: string): void {
    const open = this.#open.get(connection);
    this.#open.delete(connection);
    if (!open) return;
    this.#transactions++;
    if (open.places.size < 2) return;
    const tables = [...open.tables].sort().join(", ");
    this.#written.set(tables, (this.#written.get(tables) ?? 0) + 1);
  }
}
