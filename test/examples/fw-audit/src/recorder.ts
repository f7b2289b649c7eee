import { BaseModel, ModelInfo, type OpenChange } from "framewright/plugins/database";
import type { Resources } from "framewright/plugins/resources";
import { changesOf, secretColumns } from "./changes.ts";
import type { AuditEntry } from "./contract.ts";
import type { Lines } from "./lines.ts";
import type { Tenants } from "./tenants.ts";

/** Writes a line for each change, in the transaction of the change. */
export class Recorder {
  readonly #lines: Lines;
  readonly #tenants: Tenants;
  readonly #resources: () => Resources;
  /** By the columns of a model, which are new objects once its table is read again. */
  readonly #secrets = new WeakMap<ModelInfo["columns"], ReadonlySet<string>>();

  constructor(lines: Lines, tenants: Tenants, resources: () => Resources) {
    this.#lines = lines;
    this.#tenants = tenants;
    this.#resources = resources;
  }

  /** The entry that was stored; undefined for a change of nothing but timestamps. */
  async record(change: OpenChange): Promise<AuditEntry | undefined> {
    const { kind, model, record, by, transaction } = change;
    const changes = changesOf(change, this.#secretsOf(model));
    if (kind === "updated" && Object.keys(changes).length === 0) return undefined;
    const entry: AuditEntry = {
      at: new Date().toISOString(),
      kind,
      model: model.constant,
      record: String(record.$id()),
      person: personOf(by?.user),
      portal: by?.portal ?? null,
      wizard: by?.wizard ?? null,
      job: by?.job ?? null,
      tenant: await this.#tenantOf(change),
      changes,
    };
    await this.#lines.insert(entry, transaction);
    return entry;
  }

  #secretsOf(model: ModelInfo): ReadonlySet<string> {
    const found = this.#secrets.get(model.columns) ?? secretColumns(model, this.#resources());
    this.#secrets.set(model.columns, found);
    return found;
  }

  /** Of a record that moves from one tenant to another the line is neither's. */
  async #tenantOf({ kind, record, before, transaction }: OpenChange): Promise<string | null> {
    const now = await this.#tenants.ofRecord(record, transaction);
    if (kind !== "updated" || before === undefined) return now;
    return (await this.#tenants.ofRecord(before, transaction)) === now ? now : null;
  }
}

/** As in `User/1`: a record, or what an application's own authentication found. */
function personOf(user: unknown): string | null {
  if (user instanceof BaseModel) return `${ModelInfo.of(user.constructor).constant}/${user.$id()}`;
  return typeof user === "object" && user !== null && "id" in user ? String(user.id) : null;
}
