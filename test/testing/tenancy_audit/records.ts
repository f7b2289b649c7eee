import { randomBytes } from "node:crypto";
import { FramewrightError, messageOf } from "framewright/kernel";
import {
  type AssociationInfo,
  type BaseModel,
  type Database,
  type ModelInfo,
  type PolymorphicInfo,
  type Query,
  ValidationError,
} from "framewright/plugins/database";
import type { Scoping } from "framewright/plugins/scoping";
import { fieldTypesOf } from "./field_types.ts";
import { type MarkedFiles, SHARED } from "./files.ts";
import type { Uncovered } from "./report.ts";
import { idOf, type Refused, type Sample, sampleOf } from "./sample_values.ts";

/** The two tenants; `shared` is what both see. */
export type Side = "a" | "b" | "shared";
type Values = Record<string, unknown>;

/** Letters and digits that stand nowhere else. */
const newMark = () => `mk${randomBytes(7).toString("hex")}`;

const noTenant = (constant: string, reason: string) =>
  new FramewrightError(
    "FW_AUDIT_TENANT",
    `no ${constant} can be made for the audit: ${reason}. Its values are made of its columns, enums and validations; give what these can't know a default.`,
  );

/** The most values that are tried for what a model's own rules refuse. */
const MAX_ROUNDS = 60;
/** The fields that a refused record has problems with. */
const refusedFields = (error: unknown): string[] => (error instanceof ValidationError ? Object.keys(error.fields) : []);

/** The records that the audit makes for two tenants of one model: one of each model for each, with a mark in its texts. */
export class MarkedRecords {
  readonly database: Database;
  readonly entity: ModelInfo;
  readonly files: MarkedFiles;
  readonly marks = { a: newMark(), b: newMark() } as const;
  readonly uncovered: Uncovered[] = [];
  /** The models whose records one tenant alone sees. */
  readonly exclusive: ModelInfo[] = [];
  readonly #scoping: Scoping;
  readonly #made = new Map<string, Promise<BaseModel | undefined>>();
  readonly #reasons = new Map<ModelInfo, string>();
  readonly #pending = new Set<string>();
  readonly #paths = new Map<ModelInfo, boolean>();
  readonly #extras = new Map<string, readonly BaseModel[]>();
  readonly #tenants: { a?: BaseModel; b?: BaseModel } = {};
  #count = 0;

  constructor(database: Database, scoping: Scoping, files: MarkedFiles, entity: ModelInfo) {
    this.database = database;
    this.files = files;
    this.#scoping = scoping;
    this.entity = entity;
  }

  /** @throws FW_AUDIT_TENANT */
  async fill(): Promise<void> {
    for (const side of ["a", "b"] as const) {
      const tenant = await this.get(this.entity, side);
      if (!tenant) throw noTenant(this.entity.constant, this.reasonOf(this.entity));
      this.#tenants[side] = tenant;
    }
    const models = this.database.models().filter(({ exists }) => exists);
    for (const model of models)
      if (await this.#reaches(model)) for (const side of ["a", "b"] as const) await this.get(model, side);
    for (const model of models) if (await this.#reaches(model)) await this.#classify(model);
    for (const model of models)
      if (model.mark && model !== this.entity) for (const side of ["a", "b"] as const) await this.#discard(model, side);
  }
  /** Makes a record that is out of use, as one in a trash. */
  async #discard(model: ModelInfo, side: Side): Promise<void> {
    try {
      await (await this.make(model, side)).$query().delete();
    } catch (error) {
      this.#reasons.set(model, messageOf(error));
    }
  }

  /** The marked record of a model; undefined where none could be made. */
  async get(model: ModelInfo, side: Side): Promise<BaseModel | undefined> {
    const where = side !== "shared" && model !== this.entity && !(await this.#reaches(model)) ? "shared" : side;
    const key = `${model.constant} ${where}`;
    if (this.#pending.has(key)) return undefined; // it refers to itself
    const known = this.#made.get(key);
    if (known) return known;
    this.#pending.add(key);
    const made = this.#first(model, where).catch((error: unknown) => {
      this.#reasons.set(model, messageOf(error));
      return undefined;
    });
    const done = made.finally(() => this.#pending.delete(key));
    this.#made.set(key, done);
    return done;
  }
  /** Records of a tenant beside the first, as those that a policy hides. */
  extras(model: ModelInfo, side: Side): readonly BaseModel[] {
    return this.#extras.get(`${model.constant} ${side}`) ?? [];
  }
  keepExtra(model: ModelInfo, side: Side, record: BaseModel): void {
    this.#extras.set(`${model.constant} ${side}`, [...this.extras(model, side), record]);
  }
  async makeExtra(model: ModelInfo, side: Side, given: Values): Promise<void> {
    this.keepExtra(model, side, await this.make(model, side, given));
  }
  /** The row of a record, as a query. */
  rowOf({ table, key }: ModelInfo, record: BaseModel) {
    return key.where(this.database.knex(table), idOf(record));
  }
  /** A number that no marked text has yet. */
  next(): number {
    return ++this.#count;
  }
  reasonOf(model: ModelInfo): string {
    return this.#reasons.get(model) ?? "no record could be made";
  }

  /** Makes one more record, with marked texts, below marked records of its tenant. What the model's own rules refuse is replaced. */
  async make(model: ModelInfo, side: Side, given: Values = {}): Promise<BaseModel> {
    const values = { ...(await this.#parents(model, side, given)), ...given };
    const refused = new Map<string, number>();
    for (let round = 1; ; round++) {
      const sample = await this.#sampled(model, side, values, refused);
      try {
        const made = await this.database.insert(model.class, { ...sample.values, ...given });
        this.#noteUnfit(model, sample, given);
        return made;
      } catch (error) {
        const names = refusedFields(error).filter((name) => name in sample.values && !(name in values));
        if (names.length === 0 || round === MAX_ROUNDS) throw error;
        for (const name of names) refused.set(name, (refused.get(name) ?? 0) + 1);
      }
    }
  }
  async #sampled(model: ModelInfo, side: Side, values: Values, refused?: Refused): Promise<Sample> {
    const mark = { text: side === "shared" ? SHARED : this.marks[side], count: this.next() };
    const { values: own, unfit } = sampleOf(model, mark, values, fieldTypesOf(this.files.kernel, model), refused);
    return { values: { ...own, ...(await this.files.valuesFor(model, side, mark.text)) }, unfit };
  }
  /** Names the columns that no value fits: what leads to them alone is not found. */
  #noteUnfit(model: ModelInfo, { unfit }: Sample, given: Values): void {
    for (const name of unfit) {
      const what = `${model.constant}.${name}`;
      if (!(name in given) && !this.uncovered.some((one) => one.what === what))
        this.uncovered.push({ what, reason: "none of the samples fits its rules, and records are made without it" });
    }
  }
  /** Makes the record of a model. One that came along with its parent, as the profile of an account, gets the marks. */
  async #first(model: ModelInfo, side: Side): Promise<BaseModel> {
    try {
      return await this.make(model, side);
    } catch (error) {
      const keys = await this.#parents(model, side, {});
      const query = this.database.query(model.class as never) as Query<BaseModel>;
      const found = Object.keys(keys).length > 0 ? await query.where(keys as never).first() : undefined;
      if (!found) throw error;
      const values = { ...(await this.#sampled(model, side, keys)).values, ...keys };
      return (await (found as BaseModel).$query().patchAndFetch(values as never)) as BaseModel;
    }
  }

  async #parents(model: ModelInfo, side: Side, given: Values): Promise<Values> {
    const keys: Values = {};
    for (const association of model.associations.values()) {
      if (association.kind !== "belongsTo" || association.key.columns.some((column) => column in given)) continue;
      const parent = association.target === model ? undefined : await this.get(association.target, side);
      if (parent) Object.assign(keys, association.key.row(idOf(parent)));
      else if (!association.optional) throw new Error(`it needs ${association.name}: ${this.#whyNo(association)}`);
    }
    for (const one of model.polymorphic.values()) Object.assign(keys, await this.#subject(one, side, given));
    return keys;
  }
  /** A record of the first model that a polymorphic association may lead to and that could be made. */
  async #subject(
    { name, typeColumn, keyColumn, targets, optional, model }: PolymorphicInfo,
    side: Side,
    given: Values,
  ) {
    if (typeColumn in given || keyColumn in given) return {};
    for (const [type, target] of targets) {
      const found = target === model ? undefined : await this.get(target, side);
      if (found) return { [typeColumn]: type, [keyColumn]: idOf(found) };
    }
    if (optional) return { [typeColumn]: null, [keyColumn]: null };
    throw new Error(`it needs ${name}: ${[...targets.values()].map((target) => this.reasonOf(target)).join("; ")}`);
  }
  #whyNo({ target, model }: AssociationInfo): string {
    return target === model ? "it refers to itself" : this.reasonOf(target);
  }

  /** Stores the files of the marked records again that a request deleted or replaced. */
  async renewFiles(): Promise<void> {
    for (const model of this.exclusive)
      for (const side of ["a", "b"] as const) {
        const record = (await this.get(model, side))!;
        const row = (await this.rowOf(model, record).first()) as Values | undefined;
        if (!row || (await this.files.areStored(model, row))) continue;
        const columns = await this.files.columnsFor(model, side, this.marks[side]);
        await this.rowOf(model, record).update(columns);
      }
  }

  /** A query within one of the two tenants. */
  within(side: "a" | "b", model: ModelInfo): Query<BaseModel> {
    return this.#scoping.query(this.#tenants[side]!, model.class as never) as Query<BaseModel>;
  }
  tenant(side: "a" | "b"): BaseModel {
    return this.#tenants[side]!;
  }

  async #reaches(model: ModelInfo): Promise<boolean> {
    if (model === this.entity) return true;
    const known = this.#paths.get(model);
    if (known !== undefined) return known;
    const tenant = await this.get(this.entity, "a");
    if (!tenant) return false; // it is being made, and this is one of its parents
    let found = true;
    try {
      this.#scoping.query(tenant, model.class as never);
    } catch (error) {
      found = false;
      if ((error as { code?: string }).code === "FW_SCOPE_AMBIGUOUS")
        this.uncovered.push({ what: model.constant, reason: messageOf(error) });
    }
    this.#paths.set(model, found);
    return found;
  }

  /** Whether the record of B is B's alone; one that both see keeps no mark. */
  async #classify(model: ModelInfo): Promise<void> {
    const record = await this.get(model, "b");
    const miss = (reason: string) => void this.uncovered.push({ what: model.constant, reason });
    if (!record || !(await this.get(model, "a"))) return miss(this.reasonOf(model));
    const sees = async (side: "a" | "b") =>
      (await model.key.where(this.within(side, model), idOf(record)).first()) !== undefined;
    if (await sees("a")) return this.#unmark(model);
    if (!(await sees("b"))) return miss("the record that was made is not in its tenant by the model's scope");
    this.exclusive.push(model);
  }

  /** Every tenant sees these records. */
  async #unmark(model: ModelInfo): Promise<void> {
    for (const side of ["a", "b"] as const) {
      const record = (await this.get(model, side))!;
      const row = (await this.rowOf(model, record).first()) as Values;
      const changed = Object.entries(row).filter(
        ([name, value]) =>
          !model.key.columns.includes(name) && typeof value === "string" && value.includes(this.marks[side]),
      );
      const texts = changed.map(([name, value]) => [
        name,
        String(value).replaceAll(this.marks[side], `${SHARED}${side}`),
      ]);
      this.files.forget(row);
      const change = { ...Object.fromEntries(texts), ...(await this.files.columnsFor(model, "shared", SHARED)) };
      if (Object.keys(change).length > 0) await this.rowOf(model, record).update(change);
    }
  }
}
