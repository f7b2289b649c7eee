import type { ModelInfo } from "framewright/plugins/database";
import type { ScopingService } from "../service.ts";

/** How the rows of a table are divided among shards by their tenant. */
export type TableShard =
  /** Each row names its tenant in this column. */
  | { readonly kind: "key"; readonly column: string }
  /** The tenant is reached over other tables: there is no column to divide by. */
  | { readonly kind: "indirect"; readonly over: readonly string[] };

/** The tables each of whose rows belongs to one tenant; all others are shared, like those of people who are members of several. */
export function shardedTables(scopes: ScopingService, entity: ModelInfo): Map<string, TableShard> {
  const tables = new Map<string, TableShard>();
  for (const model of scopes.database.models()) {
    const shard = shardOf(scopes, model, entity);
    if (shard) tables.set(model.table, shard);
  }
  return tables;
}

function shardOf(scopes: ScopingService, model: ModelInfo, entity: ModelInfo): TableShard | undefined {
  if (model === entity) return { kind: "key", column: entity.primaryKey };
  const path = findPath(scopes, model, entity);
  if (!path?.exclusive) return undefined;
  const { hops } = path;
  if (hops.length === 1) return { kind: "key", column: hops[0]!.from.columns[0]! };
  return { kind: "indirect", over: hops.slice(0, -1).map(({ to }) => to.table) };
}

/** A model that may belong to a tenant by two associations has no path. */
function findPath(scopes: ScopingService, model: ModelInfo, entity: ModelInfo) {
  try {
    return scopes.findTenantPath(model, entity);
  } catch {
    return undefined;
  }
}
