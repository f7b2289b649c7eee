import type { ModelInfo } from "framewright/plugins/database";
import { isCredential } from "../../support/credentials.ts";
import { demodulize, underscore } from "../../support/names.ts";

/** What a policy is seeded with. */
export interface Seed {
  create: string[];
  read: string[];
  associations: string[];
  /** Columns that look like credentials: nowhere listed. */
  left: string[];
}

const timestamps = ["created_at", "updated_at"];
const kept = new Set([...timestamps, "lock_version"]);

/** The account that the only record of a singular resource is of. */
export interface OwnerLink {
  name: string;
  column: string;
  account: string;
  /** Whether the database itself refuses a second one. */
  unique: boolean;
}

/** By the account's own name, or by a key that no two records share; `accounts` are constants. */
export function ownerLinkOf({ associations, columns }: ModelInfo, accounts: readonly string[]): OwnerLink | undefined {
  const links = [...associations.values()]
    .filter(({ kind, target }) => kind === "belongsTo" && accounts.includes(target.constant))
    .map(({ name, foreignKey, target }) => ({
      name,
      column: foreignKey,
      account: target.constant,
      unique: columns.get(foreignKey)?.unique === true,
    }));
  return (
    links.find(({ name, account }) => name === underscore(demodulize(account))) ?? links.find(({ unique }) => unique)
  );
}

/** Every column by the name that forms use: associations for their keys, money for its cents. */
export function seedOf(info: ModelInfo, isRegistered: (constant: string) => boolean): Seed {
  const associations = [...info.associations.values()];
  const names = new Map<string, string>(Object.entries(info.money).map(([name, column]) => [column, name]));
  for (const { kind, foreignKey, name } of associations) if (kind === "belongsTo") names.set(foreignKey, name);
  const columns = [...info.columns.values()]
    .filter(({ name, primary }) => !primary && !kept.has(name))
    .map(({ name }) => name);
  const left = columns.filter((column) => !names.has(column) && isCredential(column));
  const create = columns.filter((column) => !left.includes(column)).map((column) => names.get(column) ?? column);
  return {
    create,
    read: [...create, ...timestamps.filter((name) => info.columns.has(name))],
    associations: associations
      .filter(
        ({ kind, through, target }) => kind !== "belongsTo" && through === undefined && isRegistered(target.constant),
      )
      .map(({ name }) => name),
    left,
  };
}
