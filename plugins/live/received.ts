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

/** Milliseconds that the clocks of processes may differ by: pages hear rather once too often. */
const SKEW_MS = 1000;

/** Notifies the streams of this process of what it, or another process, has changed. */
export function receive(parts: Parts, message: Message, isOwn: boolean): void {
  const { followers, host } = parts;
  const { changes, bells } = message;
  const at = isOwn ? message.at : Date.now() + SKEW_MS;
  for (const topic of bells) followers.notify(topic, at);
  for (const change of changes) {
    const { table, keys, tenants, unknown } = change;
    followers.notify(listTopic(table), at);
    for (const tenant of tenants) followers.notify(listTopic(table, tenant), at);
    for (const key of keys) followers.notify(recordTopic(table, key), at);
    for (const entity of unknown)
      notifyByScope(parts, change, entity, at).catch((err: unknown) =>
        host.log.warn({ err }, `lists of ${change.model} do not follow a change: ${messageOf(err)}`),
      );
  }
}

/** A scope of the model determines which tenants a record belongs to: looked up for those that are followed here. */
async function notifyByScope(
  { database, scoping, followers }: Parts,
  { table, model, keys }: TableChange,
  entityTable: string,
  at: number,
): Promise<void> {
  const entity = database.models().find((one) => one.table === entityTable);
  if (!scoping || !entity) return;
  const info = database.model(model);
  for (const id of followers.rests(listTopic(table, tenantKey(entityTable, "")))) {
    const tenant = (await database.query(entity.class).findById(id)) as BaseModel | undefined;
    if (!tenant) continue;
    const query = scoping.query(tenant, info.class as unknown as { new (): BaseModel });
    const found = await info.key.whereIn(query, keys).limit(1);
    if (found.length > 0) followers.notify(listTopic(table, tenantKey(entityTable, id)), at);
  }
}
