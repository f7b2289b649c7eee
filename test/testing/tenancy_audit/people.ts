import { type Application, demodulize, pluralize, underscore } from "framewright/host";
import { messageOf } from "framewright/kernel";
import type { AccountType } from "framewright/plugins/authlib";
import type { AssociationInfo, BaseModel, ModelInfo } from "framewright/plugins/database";
import type { Recorder } from "./recorder.ts";
import type { MarkedRecords } from "./records.ts";
import { idOf } from "./sample_values.ts";
import { Visitor } from "./visitor.ts";

/** Somebody who sends requests. */
export interface Person {
  readonly label: string;
  /** The tenant that they are a member of. */
  readonly member: "a" | "b" | undefined;
  readonly isGuest: boolean;
  /** The record of who signed in; undefined for a guest. */
  readonly account: BaseModel | undefined;
  readonly visitor: Visitor;
}
/** The people of a way to come in, or why there are none. */
export interface People {
  readonly all: readonly Person[];
  readonly problem: string | undefined;
}

type Values = Record<string, unknown>;

/** Makes accounts: members of each tenant, one for each role, and one without a tenant. */
export class PeopleMaker {
  readonly #application: Application;
  readonly #recorder: Recorder;
  readonly #records: MarkedRecords;
  readonly #known = new Map<string, Promise<People>>();
  #count = 0;

  constructor(application: Application, recorder: Recorder, records: MarkedRecords) {
    this.#application = application;
    this.#recorder = recorder;
    this.#records = records;
  }

  /** The people for routes of an account type, or of a mode of authentication. */
  of(account: string): Promise<People> {
    const known = this.#known.get(account) ?? this.#make(account);
    this.#known.set(account, known);
    return known;
  }

  async #make(account: string): Promise<People> {
    const guest = await this.#person("guest", undefined, undefined, undefined);
    if (account === "public" || account === "open" || account === "nobody") return { all: [guest], problem: undefined };
    const type = this.#application.kernel.has("auth")
      ? this.#application.kernel.service("auth").types.find(account)
      : undefined;
    try {
      const model = type?.model ?? this.#guessAccount();
      return { all: [...(await this.#accounts(model, type, account)), guest], problem: undefined };
    } catch (error) {
      return { all: [guest], problem: `no account could be made for "${account}": ${messageOf(error)}` };
    }
  }

  /** The model of people where the application finds them by itself: the one that has many tenants. */
  #guessAccount(): ModelInfo {
    const { entity, database } = this.#records;
    const found = database
      .models()
      .filter((model) =>
        [...model.associations.values()].some(
          ({ target, kind, through }) => target === entity && kind === "hasMany" && through,
        ),
      );
    const model = found.length > 1 ? (found.find(({ constant }) => constant === "User") ?? found[0]) : found[0];
    if (!model) throw new Error(`no model has many ${entity.constant} through another`);
    return model;
  }

  async #accounts(model: ModelInfo, type: AccountType | undefined, account: string): Promise<Person[]> {
    const people: Person[] = [];
    for (const side of ["a", "b"] as const)
      for (const { role, record } of await this.#members(model, side)) {
        const label = `${account}${role === undefined ? "" : ` (${role})`} of ${side.toUpperCase()}`;
        people.push(await this.#person(label, side, record, type));
      }
    if (model !== this.#records.entity) {
      const record = await this.#records.make(model, "shared", this.#free(model));
      people.push(await this.#person(`${account} without a tenant`, undefined, record, type));
    }
    return people;
  }

  /** An account that belongs to no tenant, where its own table would name one. */
  #free(model: ModelInfo): Values {
    const found = [...model.associations.values()].filter(
      ({ kind, target }) => kind === "belongsTo" && target === this.#records.entity,
    );
    return Object.fromEntries(
      found.filter(({ optional }) => optional).flatMap(({ emptied }) => emptied.map((column) => [column, null])),
    );
  }

  async #members(model: ModelInfo, side: "a" | "b"): Promise<{ role: string | undefined; record: BaseModel }[]> {
    const { entity } = this.#records;
    const tenant = this.#records.tenant(side);
    if (model === entity) return [{ role: undefined, record: tenant }];
    const association = membershipOf(model, entity);
    const between = association.through === undefined ? undefined : model.associations.get(association.through)!;
    const roles = between?.target.enums.role ?? model.enums.role ?? [undefined];
    const made: { role: string | undefined; record: BaseModel }[] = [];
    for (const role of roles) {
      const onAccount = role !== undefined && !between?.target.enums.role ? { role } : {};
      const key = association.kind === "belongsTo" ? association.key.row(idOf(tenant)) : {};
      const record = await this.#records.make(model, side, { ...onAccount, ...key });
      if (association.kind !== "belongsTo") await this.#join(association, between, record, tenant, role);
      made.push({ role, record });
    }
    return made;
  }

  /** Makes the record between an account and its tenant, or lets the tenant refer to the account. */
  async #join(
    { key }: AssociationInfo,
    between: AssociationInfo | undefined,
    account: BaseModel,
    tenant: BaseModel,
    role: string | undefined,
  ): Promise<void> {
    const { entity } = this.#records;
    if (!between) {
      await this.#records.rowOf(entity, tenant).update(key.row(idOf(account)));
      return;
    }
    const onTenant = [...between.target.associations.values()].find(
      ({ kind, target }) => kind === "belongsTo" && target === entity,
    );
    if (!onTenant) throw new Error(`${between.target.constant} does not belong to ${entity.constant}`);
    const side = tenant === this.#records.tenant("a") ? "a" : "b";
    await this.#records.make(between.target, side, {
      ...between.key.row(idOf(account)),
      ...onTenant.key.row(idOf(tenant)),
      ...(role !== undefined && between.target.enums.role ? { role } : {}),
    });
  }

  async #person(
    label: string,
    member: Person["member"],
    record: BaseModel | undefined,
    type: AccountType | undefined,
  ): Promise<Person> {
    const who = record && { record, type, key: `person ${++this.#count}` };
    const visitor = await Visitor.open(this.#application, this.#recorder, who);
    return { label, member, isGuest: record === undefined, account: record, visitor };
  }
}

/** The association of an account with its tenants that membership is decided by. */
function membershipOf(model: ModelInfo, entity: ModelInfo): AssociationInfo {
  const found = [...model.associations.values()].filter(({ target }) => target === entity);
  const name = underscore(demodulize(entity.constant));
  const named = found.filter((one) => one.name === name || one.name === pluralize(name));
  const [first] = named.length === 1 ? named : found;
  if (!first || (named.length !== 1 && found.length > 1))
    throw new Error(`${model.constant} has no association, or several, with ${entity.constant}`);
  return first;
}
