import { messageOf } from "framewright/kernel";
import type { BaseModel, ModelInfo } from "framewright/plugins/database";
import type { Registration } from "framewright/plugins/resources";
import { PersonPolicies, textOf } from "./hidden_columns.ts";
import type { Person } from "./people.ts";
import type { AuditWorld } from "./portal_audit.ts";
import type { Uncovered } from "./report.ts";
import { idOf } from "./sample_values.ts";

type Values = Readonly<Record<string, unknown>>;
/** A text of the own tenant that a person must not see. */
export interface HiddenText {
  /** `the hidden column email of Permit` */
  readonly of: string;
  readonly text: string;
}
/** A column that is hidden from a person, with a text of it. */
export interface HiddenColumn extends HiddenText {
  readonly registration: Registration;
  readonly column: string;
}
/** The most records that are made to find one that a scope leaves out. */
const MAX_VARIANTS = 12;

/**
 * What the policies of one portal hide from each of its people within their own tenant: columns, and records. Records that a
 * `relationScope` leaves out are made by the values that its SQL compares with, and others that refer to them.
 */
export class HiddenRecords {
  readonly uncovered: Uncovered[] = [];
  readonly #world: AuditWorld;
  readonly #registrations: readonly Registration[];
  readonly #side: "a" | "b";
  /** The values by which records of a model are made that some people do not see. */
  readonly #variants = new Map<Registration, Values>();
  readonly #texts = new Map<Person, Promise<readonly HiddenText[]>>();
  readonly #columns = new Map<Person, Promise<readonly HiddenColumn[]>>();

  constructor(world: AuditWorld, engine: string, side: "a" | "b") {
    this.#world = world;
    this.#side = side;
    const { kernel } = world.application;
    const all = kernel.has("resources") ? [...kernel.service("resources").registry.of(engine).values()] : [];
    this.#registrations = all.filter(({ model }) => world.records.exclusive.includes(model));
  }

  /** Makes records that are hidden from some of the people, where their policies leave any out, and records that refer to them. */
  async make(people: readonly Person[]): Promise<void> {
    for (const registration of this.#registrations) {
      for (const person of people) {
        const values = await this.#variant(registration, person).catch((error: unknown) => {
          this.#miss(`records that ${registration.policyClass.name} hides`, messageOf(error));
          return undefined;
        });
        if (values) this.#variants.set(registration, values);
        if (values) break;
      }
    }
    for (const hidden of this.#variants.keys())
      for (const { model } of this.#registrations)
        for (const { kind, target, key } of model.associations.values())
          if (kind === "belongsTo" && target === hidden.model)
            for (const record of this.#world.records.extras(hidden.model, this.#side))
              await this.#world.records.makeExtra(model, this.#side, key.row(idOf(record))).catch(() => undefined);
  }

  /** The texts that a person must not see anywhere in the portal. */
  textsFor(person: Person): Promise<readonly HiddenText[]> {
    const known = this.#texts.get(person) ?? this.#findTexts(person);
    this.#texts.set(person, known);
    return known;
  }
  columnsFor(person: Person): Promise<readonly HiddenColumn[]> {
    const known = this.#columns.get(person) ?? this.#findColumns(person);
    this.#columns.set(person, known);
    return known;
  }
  /** The values of new records that a person would not see, by model. */
  async variantsFor(person: Person): Promise<[ModelInfo, Values][]> {
    const found: [ModelInfo, Values][] = [];
    for (const [registration, values] of this.#variants) {
      const policies = this.#policies(person);
      for (const record of this.#world.records.extras(registration.model, this.#side))
        if (isLike(record, values) && !(await policies.sees(registration, record))) {
          found.push([registration.model, values]);
          break;
        }
    }
    return found;
  }

  #policies(person: Person): PersonPolicies {
    return new PersonPolicies(this.#world.records, this.#side, person);
  }

  /** The values of a record that a person does not see, which is made; undefined where their policy leaves none out. */
  async #variant(registration: Registration, person: Person): Promise<Values | undefined> {
    const { records } = this.#world;
    const { model, policyClass } = registration;
    const policies = this.#policies(person);
    const scoped = await policies.scopeValues(registration);
    if (!isNarrowed(model, scoped.sql)) return undefined;
    let count = 0;
    for (const values of variantsOf(model, scoped)) {
      if (++count > MAX_VARIANTS) break;
      const record = await records.make(model, this.#side, values).catch(() => undefined);
      if (!record) continue;
      if (!(await policies.sees(registration, record))) {
        records.keepExtra(model, this.#side, record);
        const base = await records.get(model, this.#side);
        if (base && !(await policies.sees(registration, base))) await this.#makeVisible(registration, policies, scoped);
        return values;
      }
      await records.rowOf(model, record).delete();
    }
    this.#miss(`records that ${policyClass.name} hides`, "none of the values that its scope compares with makes one");
    return undefined;
  }

  /** Makes a record that the person sees, where the first one of its model is hidden. */
  async #makeVisible(
    { model, ...rest }: Registration,
    policies: PersonPolicies,
    scoped: { sql: string; values: readonly unknown[] },
  ): Promise<void> {
    const { records } = this.#world;
    const registration = { model, ...rest } as Registration;
    for (const values of [...variantsOf(model, scoped)].slice(0, MAX_VARIANTS)) {
      const record = await records.make(model, this.#side, values).catch(() => undefined);
      if (!record) continue;
      if (await policies.sees(registration, record)) return records.keepExtra(model, this.#side, record);
      await records.rowOf(model, record).delete();
    }
  }

  #miss(what: string, reason: string): void {
    if (!this.uncovered.some((one) => one.what === what)) this.uncovered.push({ what, reason });
  }

  async #findTexts(person: Person): Promise<readonly HiddenText[]> {
    const found: HiddenText[] = [...(await this.columnsFor(person))];
    const policies = this.#policies(person);
    for (const registration of this.#registrations)
      for (const record of await this.#recordsOf(registration.model))
        if (!(await policies.sees(registration, record).catch(() => true)))
          found.push(...this.#textsOf(registration.model, record));
    return found;
  }

  async #findColumns(person: Person): Promise<readonly HiddenColumn[]> {
    const policies = this.#policies(person);
    const found: HiddenColumn[] = [];
    for (const model of new Set(this.#registrations.map((one) => one.model))) {
      const own = this.#registrations.filter((one) => one.model === model);
      for (const record of await this.#recordsOf(model))
        try {
          for (const column of await policies.hiddenColumns(own, record)) {
            const text = textOf(record, column);
            const of = `the hidden column ${column} of ${model.constant}`;
            if (this.#isMarked(text)) found.push({ of, text, column, registration: own[0]! });
          }
        } catch (error) {
          this.#miss(`columns that ${own[0]!.policyClass.name} hides from ${person.label}`, messageOf(error));
        }
    }
    const label = this.#world.records.tenant(this.#side).toLabel();
    return found.filter(({ text }) => !label.includes(text)); // the shell names the tenant
  }

  #textsOf(model: ModelInfo, record: BaseModel): HiddenText[] {
    const texts = [...model.columns.keys()].map((name) => textOf(record, name));
    const own = [...new Set([...texts, record.toLabel()])].filter((text) => this.#isMarked(text));
    return own.map((text) => ({ of: `a text of a hidden ${model.constant}`, text }));
  }
  /** Whether a text has the mark of the tenant, and a number that no other record has. */
  #isMarked(text: string): boolean {
    const mark = this.#world.records.marks[this.#side];
    return text.toLowerCase().includes(mark) && /\d$|\d@|\d"/.test(text) && text.length > mark.length;
  }

  async #recordsOf(model: ModelInfo): Promise<BaseModel[]> {
    const first = await this.#world.records.get(model, this.#side);
    return [...(first ? [first] : []), ...this.#world.records.extras(model, this.#side)];
  }
}

/** Whether a query has a condition besides the one that leaves rows out of use out. */
function isNarrowed({ mark }: ModelInfo, sql: string): boolean {
  const conditions = /\bwhere\b(.*)$/is.exec(sql)?.[1] ?? "";
  const own = mark
    ? conditions.replace(new RegExp(`[\\w\`".]*[\`"]${mark.column}[\`"] is null`, "gi"), "")
    : conditions;
  return own.trim() !== "";
}

/** Values of one column after the other that a scope may leave out: those that it compares with, and their opposites. */
function* variantsOf(model: ModelInfo, { sql, values }: { sql: string; values: readonly unknown[] }): Iterable<Values> {
  const named = [...model.columns.values()].filter(
    ({ name }) => name !== model.mark?.column && new RegExp(`[\`"]${name}[\`"]`).test(sql),
  );
  const keys = new Set([...model.associations.values()].flatMap(({ key }) => key.columns));
  for (const { name, type, nullable, primary } of named) {
    if (primary || keys.has(name)) continue;
    const choices = model.enums[name] ?? [];
    const typed =
      type === "boolean"
        ? [true, false]
        : type === "datetime"
          ? [new Date("2020-01-01T00:00:00Z"), new Date("2096-01-01T00:00:00Z")]
          : type === "date"
            ? ["2020-01-01", "2096-01-01"]
            : [...values.filter((value) => typeof value === "string" || typeof value === "number"), ...choices];
    for (const value of [...typed, ...(nullable ? [null] : [])]) yield { [name]: value };
  }
}

const isLike = (record: BaseModel, values: Values): boolean =>
  Object.keys(values).every((name) => textOf(record, name) === textOf(values as never, name));
