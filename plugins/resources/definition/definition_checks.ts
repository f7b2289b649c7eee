import { providers } from "framewright/host";
import { suggest } from "framewright/kernel";
import type { BaseModel, ModelInfo, Query } from "framewright/plugins/database";
import { type FieldOptions, type FieldTypeTable, inputNames } from "framewright/plugins/fields";
import { errors } from "../errors.ts";
import { targetOf } from "../operations/interaction_inputs.ts";
import { rowsSpec } from "../operations/interaction_rows.ts";
import { sortUsing } from "../registration/apply_list.ts";
import { declarer } from "./added_parts.ts";
import { namesOf } from "./attributes.ts";
import { checkColumns } from "./column_checks.ts";
import { type ResourceDefinition, sortLabel } from "./definition.ts";
import { type FilterOptions, isFilterGroup, nobody } from "./definition_options.ts";
import type { InteractionClass } from "./interaction.ts";
import { checkOptionNames } from "./option_checks.ts";

/**
 * Refuses names that the model does not have, types that nothing can show, and filters and sorts that no query can have.
 * @throws FW_DEFINITION_OPTION, FW_DEFINITION_NAME, FW_DEFINITION_TYPE, FW_FIELDSET_TWICE, FW_FILE_FIELD, FW_FILTER_COLUMN, FW_FILTER_LABELS, FW_SORT_NAME, FW_SORT_WIDENS, FW_INTERACTION_INPUT
 */
export function checkDefinition(definition: ResourceDefinition, model: ModelInfo, types: FieldTypeTable): void {
  for (const { interaction } of definition.actions.values()) if (interaction) checkInputs(interaction, types);
  checkOptionNames(definition);
  if (!model.settled) return;
  const name = definition.constructor.name;
  const allowed = namesFor(types);
  const known = [...namesOf(model), ...definition.handlers.keys()];
  const words = {
    input: definition.inputs,
    display: definition.displays,
    column: definition.columns,
    filter: definition.filters,
  };
  for (const [word, map] of Object.entries(words)) {
    for (const [attribute, options] of map as Map<string, FieldOptions & { apply?: unknown }>) {
      if (!known.includes(attribute) && !(attribute in model.class.prototype) && !options.apply) {
        const by = declarer(definition, word, attribute);
        throw errors.FW_DEFINITION_NAME(by, word, attribute, suggest(attribute, known));
      }
      const handler = word === "input" ? definition.handlers.get(attribute) : undefined;
      const place = handler?.draw ? "display" : (word as keyof typeof words); // what a plugin draws needs no input of its type
      checkType(declarer(definition, word, attribute), attribute, options, allowed[place]);
      if (word === "input" && model.polymorphic.has(attribute) && "choices" in options)
        throw errors.FW_POLYMORPHIC_CHOICES(name, attribute);
      if (word === "input" && !handler && isFile(options, types) && model.columns.get(attribute)?.type !== "json")
        throw errors.FW_FILE_FIELD(name, attribute, "its column is not of the type json");
    }
  }
  for (const [scope, { apply }] of definition.scopes) {
    if (!apply && !model.scopes.includes(scope))
      throw errors.FW_DEFINITION_NAME(
        declarer(definition, "scope", scope),
        "scope",
        scope,
        suggest(scope, model.scopes),
      );
  }
  const { initialScope } = definition;
  const scopes = [...definition.scopes.keys()];
  if (initialScope !== undefined && !scopes.includes(initialScope))
    throw errors.FW_DEFINITION_NAME(name, "defaultScope", initialScope, suggest(initialScope, scopes));
  for (const [attribute, filter] of definition.filters)
    if (isFilterGroup(filter))
      for (const input of Object.values(filter.inputs)) checkType(name, attribute, input, allowed.filter);
    else if (filter.apply || !definition.handlers.get(attribute)?.filter)
      checkFilter(declarer(definition, "filter", attribute), attribute, filter, model, types);
  const columns = [...model.columns.keys()];
  for (const column of model.settled ? definition.choiceColumns : [])
    if (!columns.includes(column))
      throw errors.FW_DEFINITION_NAME(name, "choiceLine", column, suggest(column, columns));
  checkFieldsets(definition, model, known);
  checkColumns(definition, model, types);
  checkSorts(definition, model);
  checkSearched(definition, model);
  if (model.encrypted.size > 0) checkSearch(definition, model);
  for (const { interaction } of definition.actions.values()) if (interaction) checkTargets(interaction, model);
}

/** @throws FW_DEFINITION_NAME, FW_FIELDSET_TWICE */
function checkFieldsets(
  { fieldsets, constructor: { name } }: ResourceDefinition,
  model: ModelInfo,
  known: readonly string[],
): void {
  const seen = new Map<string, string>();
  for (const { label, names } of fieldsets)
    for (const field of names) {
      const first = seen.get(field);
      if (first !== undefined) throw errors.FW_FIELDSET_TWICE(name, field, first, label);
      seen.set(field, label);
      if (!known.includes(field) && !(field in model.class.prototype))
        throw errors.FW_DEFINITION_NAME(name, "fieldset", field, suggest(field, known));
    }
}

/** An input that chooses a record has a model to choose from. @throws FW_INTERACTION_INPUT */
function checkTargets({ name, attributes }: InteractionClass, model: ModelInfo): void {
  for (const [attribute, input] of Object.entries(attributes))
    if (input.as === "association" && !input.choices && !targetOf(attribute, input, model))
      throw errors.FW_INTERACTION_INPUT(
        name,
        attribute,
        `as: "association", and ${model.constant} belongs to no "${attribute}". Name the model to choose from: model: User`,
      );
}

/** @throws FW_INTERACTION_INPUT for an input that no form can show, or that nobody could fill in */
function checkInputs({ name, attributes, inBackground }: InteractionClass, types: FieldTypeTable): void {
  const known = inputNames(types);
  for (const [attribute, input] of Object.entries(attributes)) {
    const { as, choices } = input;
    const rows = rowsSpec(name, attribute, input, types);
    if (rows && inBackground)
      throw errors.FW_INTERACTION_INPUT(
        name,
        attribute,
        `as: "${as}", and runs in the background, which keeps single values. Ask for them one by one`,
      );
    if (rows) continue;
    if (!known.includes(as))
      throw errors.FW_INTERACTION_INPUT(
        name,
        attribute,
        `as: "${as}", which is no type of input.${providers.typeHint(as, known, types.has(as))} There are: ${known.join(", ")}`,
      );
    if (types.get(as)?.needsChoices && !choices)
      throw errors.FW_INTERACTION_INPUT(name, attribute, `as: "${as}" and no choices. Give it choices`);
  }
}

/** Where nothing keeps files, no record has any. @throws FW_FILE_FIELD */
export function checkNoFiles(definition: ResourceDefinition, types: FieldTypeTable): void {
  for (const [name, options] of definition.inputs)
    if (isFile(options, types))
      throw errors.FW_FILE_FIELD(definition.constructor.name, name, "nothing fills the slot storage");
}
const isFile = ({ as }: Pick<FieldOptions, "as">, types: FieldTypeTable): boolean =>
  as !== undefined && types.get(as)?.isFile === true;

/** The types that inputs, filters, and what is shown may have. */
function namesFor(types: FieldTypeTable) {
  const all = [...types.entries()];
  const shown = all.map(([name]) => name);
  const filter = all.filter(([, type]) => type.filter).map(([name]) => name);
  const input = all.filter(([, type]) => type.input).map(([name]) => name);
  return { input, display: shown, column: shown, filter };
}

function checkType(
  definition: string,
  attribute: string,
  { as }: Pick<FieldOptions, "as">,
  types: readonly string[],
): void {
  if (as !== undefined && !types.includes(as))
    throw errors.FW_DEFINITION_TYPE(definition, attribute, as, providers.typeHint(as, types), types);
}

/** Without a block of its own a filter compares a column: there must be one that can be compared. */
function checkFilter(
  definition: string,
  name: string,
  options: FilterOptions,
  model: ModelInfo,
  types: FieldTypeTable,
): void {
  const { apply, as, choices, labels } = options;
  const isBoolean = as === "boolean" || (as === undefined && model.columns.get(name)?.type === "boolean");
  if (labels && (!isBoolean || choices)) throw errors.FW_FILTER_LABELS(definition, name, choices !== undefined);
  if (apply) return;
  const association = model.associations.get(name);
  const column = model.columns.get(model.money[name] ?? association?.key.columns[0] ?? name);
  const compares = column && (!association || association.kind === "belongsTo");
  if (!compares || column.type === "json" || column.type === "binary")
    throw errors.FW_FILTER_COLUMN(
      definition,
      name,
      association || model.polymorphic.has(name) ? (association?.kind ?? "polymorphic") : (column?.type ?? "computed"),
    );
  const isCompared = as !== "date" && types.get(as ?? "")?.filter?.apply === undefined;
  if (model.encrypted.has(name) && !(isCompared && model.encrypted.get(name)!.searchable))
    throw errors.FW_ENCRYPTED_FILTER(definition, name, model.constant);
}

/** A sort that depends on the person is checked when it is used. */
function checkSorts(definition: ResourceDefinition, model: ModelInfo): void {
  const name = definition.constructor.name;
  const known = [...model.columns.keys(), ...Object.keys(model.money)];
  for (const [sort, { by, using, columns = [sort] }] of definition.sorts) {
    const plain = using || by !== undefined ? [] : columns;
    for (const column of plain) {
      if (model.encrypted.has(column)) throw errors.FW_ENCRYPTED_SORT(name, column, model.constant);
      if (!known.includes(column) && !model.isKey(column))
        throw errors.FW_SORT_NAME(name, column, suggest(column, known));
    }
    if (by !== undefined) checkSortBy(name, sort, by, model);
    else if (using && using.length < 3) {
      const query = model.class.query() as unknown as Query<BaseModel>; // never run: only the methods called on it count
      sortUsing(query, sortLabel(definition, sort), () => using(query, "asc", nobody));
    }
  }
  for (const part of definition.order.split(",")) {
    const sort = part.replace(/^-/, "");
    if (!definition.sorts.has(sort) && !known.includes(sort) && !model.isKey(sort))
      throw errors.FW_SORT_NAME(name, sort, suggest(sort, known));
    if (!definition.sorts.has(sort) && model.encrypted.has(sort))
      throw errors.FW_ENCRYPTED_SORT(name, sort, model.constant);
  }
}

/** The columns that a search looks in, or declares to read. @throws FW_DEFINITION_NAME, FW_ENCRYPTED_SEARCH */
function checkSearched({ searched, searchReads, constructor: { name } }: ResourceDefinition, model: ModelInfo): void {
  for (const column of searched ?? []) {
    if (!model.columns.has(column)) throw unknownColumn(name, column, model);
    if (model.encrypted.has(column)) throw errors.FW_ENCRYPTED_SEARCH(name, column, model.constant);
  }
  for (const read of searchReads ?? []) {
    const [first, column] = read.split(".") as [string, string | undefined];
    const target = column === undefined ? undefined : model.associations.get(first)?.target;
    if (column === undefined ? !namesOf(model).includes(first) : !target) throw unknownColumn(name, first, model);
    if (target?.settled && !target.columns.has(column!)) throw unknownColumn(name, column!, target);
  }
}
const unknownColumn = (definition: string, column: string, model: ModelInfo) =>
  errors.FW_DEFINITION_NAME(definition, "search", column, suggest(column, namesOf(model)));

/** Looks at the conditions that a search would have; one that depends on the person is checked when it is used. */
function checkSearch({ searcher, constructor: { name } }: ResourceDefinition, model: ModelInfo): void {
  if (!searcher || searcher.length > 2) return;
  const query = model.class.query() as unknown as Query<BaseModel>; // never run
  let sql = "";
  try {
    searcher(query, "a", nobody);
    sql = query.toKnexQuery().toSQL().sql;
  } catch (error) {
    if ((error as { code?: string }).code === "FW_ENCRYPTED_QUERY") throw error; // what else fails, fails when it is used
  }
  const column = [...model.encrypted.keys()].find((one) =>
    new RegExp(`\`${one}\` (?:not )?(?:like|glob|between|[<>=])`).test(sql),
  );
  if (column !== undefined) throw errors.FW_ENCRYPTED_SEARCH(name, column, model.constant);
}

function checkSortBy(definition: string, name: string, by: string, { associations }: ModelInfo): void {
  const association = associations.get(name);
  if (association?.kind !== "belongsTo" || association.through !== undefined)
    throw errors.FW_SORT_NAME(definition, name, undefined);
  const { target } = association;
  if (target.settled && !target.columns.has(by))
    throw errors.FW_DEFINITION_NAME(
      definition,
      `sort("${name}", { by: … }) of ${target.constant}`,
      by,
      suggest(by, target.columns.keys()),
    );
  if (target.encrypted.has(by)) throw errors.FW_ENCRYPTED_SORT(definition, by, target.constant);
}
