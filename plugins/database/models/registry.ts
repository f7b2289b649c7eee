import { suggest } from "framewright/kernel";
import type { Knex } from "knex";
import type { ColumnInfo } from "../drivers/columns.ts";
import { uniquesOf } from "../drivers/introspect.ts";
import { checkEncrypted, ciphersOf } from "../encryption/encrypted_columns.ts";
import { errors } from "../errors.ts";
import { isFast } from "../fast/index.ts";
import { SLUGS_TABLE } from "../slug_history/slug_history.ts";
import { uniqueColumns } from "../validation/column_names.ts";
import { ruleNames } from "../validation/declared_rules.ts";
import { isCurrency } from "./currency_digits.ts";
import { linkInheritance } from "./inheritance.ts";
import type { ModelClass } from "./model.ts";
import { ModelInfo } from "./model_info.ts";
import { defineMoney } from "./money.ts";
import { checkParamKey } from "./param_key.ts";
import { linkModels } from "./resolve_associations.ts";

/** The models of an application, by constant. */
export class Registry {
  readonly #models = new Map<string, ModelInfo>();
  readonly #secrets: readonly string[];
  readonly #linked: (models: readonly ModelInfo[]) => void;
  readonly #described: (models: readonly ModelInfo[]) => void;

  /** `secrets` encrypt the columns that models declare as encrypted; `linked` is called each time the models were, `described` before. */
  constructor(
    secrets: readonly string[] = [],
    linked: (models: readonly ModelInfo[]) => void = () => undefined,
    described: (models: readonly ModelInfo[]) => void = () => undefined,
  ) {
    this.#secrets = secrets;
    this.#linked = linked;
    this.#described = described;
  }

  /** @throws FW_MODEL_TABLE */
  register(constant: string, cls: ModelClass, file: string): void {
    if (!cls.tableName || cls.tableName === "BaseModel") throw errors.FW_MODEL_TABLE(constant);
    checkRules(constant, cls);
    this.#models.set(constant, new ModelInfo(constant, cls, file));
  }

  models(): readonly ModelInfo[] {
    return [...this.#models.values()];
  }

  /** @throws FW_MODEL_UNKNOWN */
  model(wanted: ModelClass | string): ModelInfo {
    if (typeof wanted !== "string") return ModelInfo.of(wanted);
    const found = this.#models.get(wanted);
    if (!found) throw errors.FW_MODEL_UNKNOWN(wanted, suggest(wanted, this.#models.keys()));
    return found;
  }

  /**
   * Reads every table and ties the models to each other and to the connection. `introspect` answers undefined when
   * nothing can be known now. While migrations are `pending`, a model may name a column that is missing.
   */
  async link(
    knex: Knex,
    introspect: (table: string) => Promise<ColumnInfo[] | undefined>,
    pending = false,
  ): Promise<void> {
    const tables = await Promise.all(this.models().map(({ table }) => introspect(table)));
    this.models().forEach((info, index) => {
      const columns = readColumns(info, tables[index] ?? []);
      info.describe(columns, ciphersOf(info, columns, this.#secrets));
      info.isFast = isFast(knex);
      info.known = tables[index] !== undefined;
      info.pending = pending;
    });
    this.#described(this.models());
    linkInheritance(this.models());
    linkModels(this.#models);
    for (const info of this.#models.values()) await readSlugScope(info, knex);
    await this.#checkHistory(introspect, pending);
    for (const info of this.#models.values()) prepare(info, knex);
    this.#linked(this.models());
  }

  /** @throws FW_SLUG_HISTORY */
  async #checkHistory(
    introspect: (table: string) => Promise<ColumnInfo[] | undefined>,
    pending: boolean,
  ): Promise<void> {
    const keeping = this.models().find(({ class: cls }) => cls.slug?.history);
    if (pending || !keeping) return;
    const columns = await introspect(SLUGS_TABLE);
    if (columns?.length === 0) throw errors.FW_SLUG_HISTORY(keeping.constant);
  }
}

/**
 * The columns without those that the model ignores. @throws FW_COLUMN_IGNORED for one without which no record can be inserted
 */
function readColumns({ class: { ignoredColumns }, constant, table }: ModelInfo, columns: ColumnInfo[]): ColumnInfo[] {
  if (ignoredColumns.length === 0) return columns;
  const ignored = columns.filter(({ name }) => ignoredColumns.includes(name));
  const needed = ignored.find(({ nullable, hasDefault }) => !nullable && !hasDefault);
  if (needed) throw errors.FW_COLUMN_IGNORED(constant, needed.name, table);
  return columns.filter((column) => !ignored.includes(column));
}

async function readSlugScope(info: ModelInfo, knex: Knex): Promise<void> {
  const { scope } = info.class.slug ?? {};
  if (scope === undefined) return;
  info.slugScope = uniqueColumns(info, info.paramKey, { scope }).slice(1);
  info.uniques = info.known ? await uniquesOf(knex, info.table) : [];
}

function checkRules(constant: string, cls: ModelClass): void {
  for (const [attribute, rules] of Object.entries(cls.validations)) {
    const unknown = Object.keys(rules).find((rule) => !(ruleNames as readonly string[]).includes(rule));
    if (unknown) throw errors.FW_VALIDATION_UNKNOWN(constant, attribute, unknown, suggest(unknown, ruleNames));
  }
}

/** @throws FW_MODEL_SHAPE */
function prepare(info: ModelInfo, knex: Knex): void {
  const { class: cls } = info;
  const accepted = Object.entries(cls.validations)
    .filter(([, { acceptance }]) => acceptance)
    .map(([name]) => name);
  info.virtual = new Set([
    ...Object.keys(cls.money),
    ...info.associations.keys(),
    ...info.polymorphic.keys(),
    ...accepted,
  ]);
  if (info.settled) checkNames(info);
  defineMoney(cls.prototype, cls);
  cls.virtualAttributes = Object.keys(cls.money);
  cls.modifiers = { ...cls.modifiers, ...(cls.scopes as typeof cls.modifiers) };
  // Objection would query the database before it joins an association.
  const metadata = { columns: [...info.columns.keys()] };
  cls.tableMetadata = () => metadata;
  cls.fetchTableMetadata = async () => metadata;
  cls.knex(knex);
}

function checkNames(info: ModelInfo): void {
  const { class: cls, constant } = info;
  const declared: [what: string, names: string[]][] = [
    ["money", Object.values(cls.money)],
    ["an enum", Object.keys(cls.enums)],
    ["an encryption", Object.keys(cls.encrypts)],
    ["inheritance", cls.inheritance === undefined ? [] : [cls.inheritance]],
    ["a default", Object.keys(cls.defaults).filter((name) => !info.virtual.has(name))],
    ["a validation", Object.keys(cls.validations).filter((name) => !info.virtual.has(name))],
  ];
  for (const [what, names] of declared) {
    const unknown = names.find((name) => !info.columns.has(name));
    if (unknown) throw errors.FW_MODEL_SHAPE(constant, what, unknown, suggest(unknown, info.columns.keys()));
  }
  checkCurrencies(info);
  checkUniqueness(info);
  checkEncrypted(info);
  checkParamKey(info);
}

/** @throws FW_MODEL_CURRENCY */
function checkCurrencies({ class: { money, currencies }, constant }: ModelInfo): void {
  for (const [name, code] of Object.entries(currencies))
    if (money[name] === undefined || !isCurrency(code)) throw errors.FW_MODEL_CURRENCY(constant, name, code);
}

/** A name that is no column of this table would never be checked. @throws FW_UNIQUENESS_COLUMN */
function checkUniqueness(info: ModelInfo): void {
  for (const [name, { uniqueness }] of Object.entries(info.class.validations)) {
    const columns = uniqueness ? uniqueColumns(info, name, uniqueness) : [];
    const unknown = columns.find((column) => !info.columns.has(column));
    if (unknown !== undefined)
      throw errors.FW_UNIQUENESS_COLUMN(info.constant, name, unknown, suggest(unknown, info.columns.keys()));
  }
}
