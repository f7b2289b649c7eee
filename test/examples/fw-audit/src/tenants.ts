import type { Application, BaseController } from "framewright";
import {
  type AssociationInfo,
  BaseModel,
  type Database,
  ModelInfo,
  type Transaction,
} from "framewright/plugins/database";
import type { Scoping } from "framewright/plugins/scoping";

interface Place {
  readonly model: ModelInfo;
  readonly record: BaseModel;
}

/** Whose records are whose: tenants as texts, as in `Organization/1`. */
export class Tenants {
  readonly #database: Database;
  readonly #host: Application;
  readonly #scoping: Scoping | undefined;
  #known: ReadonlySet<ModelInfo> | undefined;

  constructor(database: Database, host: Application, scoping: Scoping | undefined) {
    this.#database = database;
    this.#host = host;
    this.#scoping = scoping;
  }

  /** The tenant of a request; undefined in a portal without tenants, null where it is not known. */
  ofRequest({ request, currentScopedEntity }: BaseController): string | null | undefined {
    if (!this.#scoping?.ruleOf(request.engine)) return undefined;
    return currentScopedEntity instanceof BaseModel ? keyOf(currentScopedEntity) : null;
  }

  /** The tenant that a record belongs to by the shortest chain of belongsTo; null for none, several, or a scope of the model's own. */
  async ofRecord(record: BaseModel, transaction: Transaction): Promise<string | null> {
    if (this.#models.size === 0) return null;
    const seen = new Set<ModelInfo>();
    let level: Place[] = [{ model: ModelInfo.of(record.constructor), record }];
    while (level.length > 0) {
      for (const { model } of level) seen.add(model);
      const keys = new Set(level.flatMap((place) => this.#keysAt(place)));
      if (keys.size > 0) return keys.size === 1 ? ([...keys][0] ?? null) : null;
      level = (await Promise.all(level.map((place) => this.#parents(place, seen, transaction)))).flat();
    }
    return null;
  }

  get #models(): ReadonlySet<ModelInfo> {
    const rules = [...this.#host.engines.values()].map((engine) => this.#scoping?.ruleOf(engine));
    this.#known ??= new Set(rules.flatMap((rule) => rule?.entity ?? []));
    return this.#known;
  }
  #keysAt({ model, record }: Place): (string | null)[] {
    if (isShared(model)) return [null];
    if (this.#models.has(model)) return [keyOf(record)];
    const direct = parentsOf(model).filter(({ target }) => this.#models.has(target));
    return direct.map((one) => keyIn(record, one, ({ constant }, id) => `${constant}/${id}`));
  }
  async #parents({ model, record }: Place, seen: ReadonlySet<ModelInfo>, transaction: Transaction): Promise<Place[]> {
    const found: Place[] = [];
    for (const { target, key } of parentsOf(model)) {
      const id = key.of(record);
      if (seen.has(target) || isShared(target) || id === null || id === undefined) continue;
      const parent = await target.key.where(this.#database.query(target.class, transaction), id).first();
      if (parent) found.push({ model: target, record: parent });
    }
    return found;
  }
}

const keyOf = (record: BaseModel): string => `${ModelInfo.of(record.constructor).constant}/${ModelInfo.keyOf(record)}`;
function keyIn(
  record: BaseModel,
  one: AssociationInfo,
  write: (target: ModelInfo, id: string) => string,
): string | null {
  const id = one.key.of(record);
  return id === null || id === undefined ? null : write(one.target, String(id));
}
const parentsOf = ({ associations }: ModelInfo): AssociationInfo[] =>
  [...associations.values()].filter(({ kind }) => kind === "belongsTo");
/** A model with a scope of its own says by itself whose its records are: no line of them is a tenant's. */
const isShared = (model: ModelInfo): boolean =>
  Object.keys(model.class.scopes).some((name) => name.startsWith("associatedWith"));
