import type { Application } from "framewright/host";
import { messageOf } from "framewright/kernel";
import type { BaseModel, Database } from "framewright/plugins/database";
import type { Scoping } from "framewright/plugins/scoping";
import type { Message, TableChange } from "./contract.ts";
import type { Followers } from "./followers.ts";
import { listTopic, recordTopic, tenantKey } from "./topics.ts";

interface Parts {
  readonly host: Application;
  readonly database: Database;
  readonly scoping: Scoping | undefined;
  readonly followers: Followers;
}

/** Notifies the streams of this process of what this or another process has changed. */
export function receive(parts: Parts, { changes, bells }: Message): void {
  const { followers, host } = parts;
  for (const topic of bells) followers.notify(topic);
  for (const change of changes) {
    const { table, keys, tenants, unknown } = change;
    followers.notify(listTopic(table));
    for (const tenant of tenants) followers.notify(listTopic(table, tenant));
    for (const key of keys) followers.notify(recordTopic(table, key));
    for (const entity of unknown)
      notifyByScope(parts, change, entity).catch((err: unknown) =>
        host.log.warn({ err }, `lists of ${change.model} do not follow a change: ${messageOf(err)}`),
      );
  }
}

/** A scope of the model says which tenants a record belongs to: looked up for those that are followed here. */
async function notifyByScope(
  { database, scoping, followers }: Parts,
  { table, model, keys }: TableChange,
  entityTable: string,
): Promise<void> {
  const entity = database.models().find((one) => one.table === entityTable);
  if (!scoping || !entity) return;
  const info = database.model(model);
  for (const id of followers.rests(listTopic(table, tenantKey(entityTable, "")))) {
    const tenant = (await database.query(entity.class).findById(id)) as BaseModel | undefined;
    if (!tenant) continue;
    const query = scoping.query(tenant, info.class as unknown as { new (): BaseModel });
    const found = await info.key.whereIn(query, keys).limit(1);
    if (found.length > 0) followers.notify(listTopic(table, tenantKey(entityTable, id)));
  }
}
