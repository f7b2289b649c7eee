import type { BaseModel, ModelInfo } from "framewright/plugins/database";
import type { Policy, Registration } from "framewright/plugins/resources";
import type { Person } from "./people.ts";
import type { MarkedRecords } from "./records.ts";
import { idOf } from "./sample_values.ts";

const lists = [
  ...["permittedAttributesForIndex", "permittedAttributesForShow", "permittedAttributesForLabel"],
  ...["permittedAttributesForNew", "permittedAttributesForCreate"],
  ...["permittedAttributesForEdit", "permittedAttributesForUpdate"],
] as const;

/** The policies of a portal, as its requests ask them for one person within one tenant. */
export class PersonPolicies {
  readonly #records: MarkedRecords;
  readonly #side: "a" | "b";
  readonly #person: Person;

  constructor(records: MarkedRecords, side: "a" | "b", person: Person) {
    this.#records = records;
    this.#side = side;
    this.#person = person;
  }

  /** The text columns that no list of the policies permits to read, to label a record by, or to edit. */
  async hiddenColumns(registrations: readonly Registration[], record: BaseModel): Promise<string[]> {
    const permitted = new Set<string>();
    for (const registration of registrations)
      for (const one of [undefined, record]) {
        const policy = await this.policy(registration, one);
        for (const list of lists) for (const name of namesOf(policy, list, one !== undefined)) permitted.add(name);
      }
    const { model } = registrations[0]!;
    const shown = [...permitted].filter((name) => !model.columns.has(name)).map((name) => textOf(record, name));
    return [...model.columns.values()]
      .filter(({ name, type, primary }) => !primary && name !== model.paramKey && isText(type) && !permitted.has(name))
      .map(({ name }) => name)
      .filter((name) => !shown.some((text) => text.includes(textOf(record, name)))); // a getter shows it on purpose
  }

  /** Whether the scope of a policy leaves a record in. */
  async sees(registration: Registration, record: BaseModel): Promise<boolean> {
    const { database } = this.#records;
    const policy = await this.policy(registration, undefined);
    const query = database.query(registration.model.class as never) as never;
    const scoped = registration.model.key.where(policy.relationScope(query) as object, idOf(record));
    return (await (scoped as unknown as { first(): unknown }).first()) !== undefined;
  }

  /** The values that the scope of a policy compares columns with. */
  async scopeValues(registration: Registration): Promise<{ sql: string; values: readonly unknown[] }> {
    const query = this.#records.database.query(registration.model.class as never);
    const policy = await this.policy(registration, undefined);
    const scoped = policy.relationScope(query as never) as unknown as { toKnexQuery(): { toSQL(): SqlParts } };
    const { sql, bindings } = scoped.toKnexQuery().toSQL();
    return { sql, values: bindings };
  }

  async policy({ policyClass }: Registration, record: BaseModel | undefined): Promise<Policy> {
    const [user, entityScope] = [this.#person.account, this.#records.tenant(this.#side)];
    const query = (model: unknown) => this.#records.within(this.#side, modelOf(this.#records, model));
    const context = await policyClass.prepare?.({ user, entityScope, query } as never);
    const subject = { user, record, entityScope, parent: undefined, parentAssociation: undefined, context };
    return new policyClass(subject) as Policy;
  }
}

interface SqlParts {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}
const isText = (type: string): boolean => type === "string" || type === "text" || type === "json";
const modelOf = ({ database }: MarkedRecords, cls: unknown): ModelInfo =>
  database.models().find((one) => one.class === cls)!;

/** A list of a policy; nothing where it can't be computed without a record. */
function namesOf(policy: Policy, list: (typeof lists)[number], isOfRecord: boolean): readonly string[] {
  try {
    return policy[list as "permittedAttributesForIndex"]() as readonly string[];
  } catch (error) {
    if (isOfRecord) throw error;
    return [];
  }
}

/** A value as text; what a getter throws shows nothing. */
export function textOf(record: BaseModel, name: string): string {
  try {
    const value = (record as unknown as Record<string, unknown>)[name];
    return typeof value === "object" && value !== null ? (JSON.stringify(value) ?? "") : String(value ?? "");
  } catch {
    return "";
  }
}
