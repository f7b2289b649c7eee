import type { Database } from "framewright/plugins/database";
import type { Resources } from "framewright/plugins/resources";

/** The names of columns that are secrets by their model or definition: encrypted ones, and inputs of passwords. */
export function secretColumns(database: Database | undefined, resources: Resources | undefined): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { encrypted } of database?.models() ?? []) for (const name of encrypted.keys()) names.add(name);
  for (const registration of resources?.registry.all() ?? [])
    for (const name of registration.model.columns.keys())
      if (registration.attribute(name).types.input.isSecret) names.add(name);
  return names;
}
