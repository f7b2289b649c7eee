import {
  BaseModel,
  customProblems,
  isOversize,
  ModelInfo,
  type PolymorphicInfo,
  type Problem,
  type Transaction,
  valueProblems,
} from "framewright/plugins/database";
import type { DrawnChoices, FieldLookups } from "./contract.ts";
import {
  type ChoiceList,
  type ChoiceOption,
  type ChoicesContext,
  choiceOf,
  type DeclaredField,
  isRequired,
} from "./options.ts";
import { ownType, readDefault } from "./read_field.ts";
import type { FieldType } from "./types/field_type.ts";

type Values = Readonly<Record<string, unknown>>;

/** What fields are read and drawn with: the person, the record, and the records that there are to choose from. */
export class FieldSource {
  /** Undefined where there is no person: then there is no record to choose. */
  readonly lookups: FieldLookups | undefined;
  readonly record: BaseModel | undefined;
  readonly transaction: Transaction | undefined;

  constructor(lookups?: FieldLookups, record?: BaseModel, transaction?: Transaction) {
    this.lookups = lookups;
    this.record = record;
    this.transaction = transaction;
  }

  /** The same, in a transaction. */
  within(transaction: Transaction | undefined): FieldSource {
    return new FieldSource(this.lookups, this.record, transaction);
  }

  /** The type of a field by its name: of the application's types, or the framework's own where there is no person. */
  typeOf(as: string): FieldType {
    return this.lookups?.fieldTypes.get(as) ?? ownType(as);
  }
  /** What a field's functions are given beside the values of the fields before it. */
  context(values: Values): ChoicesContext {
    const { record, query, lookups } = this;
    const { currentUser, currentScopedEntity } = lookups?.controller ?? {};
    return { record, values, currentUser, currentScopedEntity, query };
  }
  /** A query of what the person may see of a model. */
  readonly query: ChoicesContext["query"] = (model) => this.lookups!.query(model, this.transaction);

  /** The choices of a field as its form shows them; undefined for a field without. `stored`: what the record has. */
  async draw(
    field: DeclaredField,
    target: ModelInfo | undefined,
    context: ChoicesContext,
    value: string | readonly string[] | undefined,
    stored: readonly unknown[] = [],
  ): Promise<DrawnChoices | undefined> {
    if (target && field.choices === undefined) {
      if (!this.lookups) return { choices: [] };
      const begun = readDefault({ ...field, as: "association" }, context, { target });
      const kept = "value" in begun ? [...stored, begun.value] : stored;
      return this.lookups.choices(target, value, kept);
    }
    const choices = await this.labelled((await givenChoices(field, context)) ?? []);
    return (
      field.choices && {
        choices: choices.map((choice) => Object.assign({}, choice, { selected: choice.value === value })),
      }
    );
  }

  /** Choices with their labels; what those of records read of other records is read for all of them at once. */
  async labelled(given: ChoiceList): Promise<ReturnType<typeof choiceOf>[]> {
    const records = this.lookups ? given.filter(readsRecords) : [];
    if (records.length === 0) return given.map(choiceOf);
    const labels = await this.lookups!.labels(records);
    const known = new Map<ChoiceOption, string>(records.map((record, at) => [record, labels[at]!]));
    return given.map((choice) => ({ ...choiceOf(choice), ...(known.has(choice) && { label: known.get(choice)! }) }));
  }

  /** The choices of an association with records of several models. */
  async drawPolymorphic(
    polymorphic: PolymorphicInfo,
    value: string | undefined,
    kept: readonly (string | undefined)[],
  ): Promise<DrawnChoices> {
    return this.lookups ? this.lookups.polymorphicChoices(polymorphic, value, kept) : { choices: [] };
  }

  /** What is wrong with a value that could be read, by its choices and its rules; `values`: all of the form's. */
  async problems(
    field: DeclaredField,
    target: ModelInfo | undefined,
    { value, context, values }: { value: unknown; context: ChoicesContext; values: Values },
  ): Promise<Problem[]> {
    const choices = field.choices && (await listedChoices(field, context));
    const inclusion = field.inclusion ?? choices?.map((choice) => choice.value);
    const presence = isRequired(field) ? field.presence || true : false;
    const rules = Object.assign({}, field, { presence }, inclusion && { inclusion });
    const given = choices && typeof value === "number" ? String(value) : value;
    const problems = valueProblems(given, rules);
    if (target && !choices && value !== null && !(await this.lookups?.isChoosable(target, value, this.transaction)))
      return [{ key: "errors.not_a_choice", vars: {}, message: "is not one of the choices" }];
    if (!field.custom || isOversize(value, rules)) return problems;
    return [...problems, ...(await customProblems(value, rules, values, this.transaction))];
  }
}

/** Whether a choice is a record whose label reads other records. */
const readsRecords = (choice: ChoiceOption): choice is BaseModel =>
  choice instanceof BaseModel && ModelInfo.ofRecord(choice).class.labelAssociations.length > 0;

/** The choices that a field lists or whose function returns them; undefined where it has none of its own. */
const givenChoices = async (
  { choices }: Pick<DeclaredField, "choices">,
  context: ChoicesContext,
): Promise<ChoiceList | undefined> => (typeof choices === "function" ? await choices(context) : choices);

/** As they are checked, with the labels that records have by themselves. */
export async function listedChoices(
  field: Pick<DeclaredField, "choices">,
  context: ChoicesContext,
): Promise<{ value: string; label: string }[] | undefined> {
  return (await givenChoices(field, context))?.map(choiceOf);
}
