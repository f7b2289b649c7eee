import type { Application } from "framewright/host";
import { accountId } from "framewright/plugins/portals";
import type { ListSettingsStore } from "./store.ts";

/** Removes what is stored of a person; of a record that is nobody's account there is nothing. */
export async function forget({ kernel }: Application, store: ListSettingsStore, person: object): Promise<void> {
  const id = accountId(person);
  const { tableName } = person.constructor as { tableName?: string };
  if (id === undefined || tableName === undefined) return;
  const types = kernel.has("auth") ? kernel.service("auth").types.all() : [];
  const own = types.filter(({ model }) => model.table === tableName).map(({ name }) => name);
  await store.removePerson(id, [tableName, ...own]);
}
