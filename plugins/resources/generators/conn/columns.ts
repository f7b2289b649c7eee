import { demodulize, underscore } from "framewright/host/inflection";
import type { ModelInfo } from "framewright/plugins/database";
import { isCredential } from "../credentials.ts";

/** The initial contents of a policy. */
export interface PolicySeed {
  create: string[];
  read: string[];
  associations: string[];
  /** Columns that look like credentials, which are not listed. */
  credentials: string[];
}

const timestamps = ["created_at", "updated_at"];
const EXCLUDED = new Set([...timestamps, "lock_version"]);

/** The association of a singular resource to the account that owns the record. */
export interface OwnerLink {
  name: string;
  column: string;
  account: string;
  /** Whether the database refuses a second record. */
  unique: boolean;
}

/** The association named as the account, else one with a unique foreign key; `accounts` are constants. */
export function ownerLinkOf({ associations, columns }: ModelInfo, accounts: readonly string[]): OwnerLink | undefined {
  const links = [...associations.values()]
    .filter(({ kind, target }) => kind === "belongsTo" && accounts.includes(target.constant))
    .flatMap(({ name, key, target }) => (key.column === undefined ? [] : { name, column: key.column, target }))
    .map(({ name, column, target }) => ({
      name,
      column,
      account: target.constant,
      unique: columns.get(column)?.unique === true,
    }));
  return (
    links.find(({ name, account }) => name === underscore(demodulize(account))) ?? links.find(({ unique }) => unique)
  );
}

/** All columns by the names that forms use: associations for foreign keys, money attributes for cents. */
export function seedOf(info: ModelInfo, isRegistered: (constant: string) => boolean): PolicySeed {
  const associations = [...info.associations.values()];
  const names = new Map<string, string>(Object.entries(info.money).map(([name, column]) => [column, name]));
  const owned = associations.filter(({ kind }) => kind === "belongsTo");
  for (const { key, name } of owned) for (const column of key.columns) if (key.isComposite) names.set(column, name);
  for (const { key, name } of owned) if (key.column !== undefined) names.set(key.column, name);
  for (const { keyColumn, name } of info.polymorphic.values()) names.set(keyColumn, name);
  const kinds = new Set([...info.polymorphic.values()].map(({ typeColumn }) => typeColumn));
  const columns = [...info.columns.values()]
    .filter(({ primary, type, writer }) => !primary && type !== "binary" && writer === undefined)
    .filter(({ name }) => !EXCLUDED.has(name) && !kinds.has(name))
    .map(({ name }) => name);
  const left = columns.filter((column) => !names.has(column) && isCredential(column));
  const all = columns.filter((column) => !left.includes(column)).map((column) => names.get(column) ?? column);
  const shown = [...new Set(all)];
  return {
    create: info.key.isMissing ? [] : shown,
    read: [...shown, ...timestamps.filter((name) => info.columns.has(name))],
    associations: associations
      .filter(
        ({ kind, through, target }) => kind !== "belongsTo" && through === undefined && isRegistered(target.constant),
      )
      .map(({ name }) => name),
    credentials: left,
  };
}
