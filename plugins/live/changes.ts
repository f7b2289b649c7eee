import type { Application } from "framewright/host";
import { messageOf } from "framewright/kernel";
import type { BaseModel, Change, ModelInfo } from "framewright/plugins/database";
import type { ScopeRule, Scoping } from "framewright/plugins/scoping";
import type { Message, TableChange } from "./contract.ts";
import { keyText, tenantKey } from "./topics.ts";

/** Milliseconds for which changes are gathered. */
const GATHER_MS = 100;
const MAX_GATHERED = 500;

interface Parts {
  readonly host: Application;
  readonly scoping: Scoping | undefined;
  /** The names of all portals. */
  portals(): Iterable<string>;
  send(message: Message): Promise<void>;
}

/** Gathers what was committed, and sends which tables, records and tenants it was about. No writer waits for it. */
export class Changes {
  readonly #parts: Parts;
  #records = new Map<ModelInfo, BaseModel[]>();
  #bells = new Set<string>();
  #count = 0;
  #at = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending = Promise.resolve();
  #rules: readonly ScopeRule[] | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  add({ kind, model, record, before }: Change): void {
    const records = kind === "updated" && before ? [before, record] : [record]; // it may have come from another tenant
    const known = this.#records.get(model);
    if (known) known.push(...records);
    else this.#records.set(model, records);
    this.#count += records.length;
    this.#schedule();
  }
  addBells(topics: Iterable<string>): void {
    for (const topic of topics) this.#bells.add(topic);
    this.#schedule();
  }
  /** Sends what was gathered; resolves once all is sent. */
  async close(): Promise<void> {
    this.#send();
    await this.#sending;
  }

  #schedule(): void {
    this.#at = Date.now();
    if (this.#count >= MAX_GATHERED) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), GATHER_MS).unref();
  }
  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [records, bells, at] = [this.#records, this.#bells, this.#at];
    if (records.size === 0 && bells.size === 0) return;
    this.#records = new Map();
    this.#bells = new Set();
    this.#count = 0;
    this.#sending = this.#sending.then(async () => {
      const changes: TableChange[] = [];
      for (const [model, some] of records) {
        const change = await this.#changeOf(model, some).catch((error: unknown) => this.#failed(model, error));
        if (change) changes.push(change);
      }
      await this.#parts.send({ at, changes, bells: [...bells] });
    });
  }
  #failed({ constant }: ModelInfo, err: unknown): undefined {
    this.#parts.host.log.warn({ err }, `nobody hears of changes of ${constant}: ${messageOf(err)}`);
  }

  async #changeOf(model: ModelInfo, records: readonly BaseModel[]): Promise<TableChange> {
    const { scoping } = this.#parts;
    const tenants = new Set<string>();
    const unknown = new Set<string>();
    for (const rule of this.#scopeRules()) {
      if (!scoping?.leadsToTenant(model, rule)) continue;
      const ids = await scoping.tenantsOf(records, model, rule);
      if (ids) for (const id of ids) tenants.add(tenantKey(rule.entity.table, id));
      else unknown.add(rule.entity.table);
    }
    const keys = [...new Set(records.map(keyText))];
    return { table: model.table, model: model.constant, keys, tenants: [...tenants], unknown: [...unknown] };
  }
  /** One for each model of tenants. */
  #scopeRules(): readonly ScopeRule[] {
    const { scoping, portals } = this.#parts;
    this.#rules ??= [
      ...new Map(
        [...portals()].flatMap((name) => {
          const rule = scoping?.ruleOf(name);
          return rule ? [[rule.entity, rule] as const] : [];
        }),
      ).values(),
    ];
    return this.#rules;
  }
}
