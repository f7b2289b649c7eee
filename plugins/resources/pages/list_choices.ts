import { HttpError } from "framewright/host";
import { type Choice, choiceOf, type FieldView, type Translate } from "framewright/plugins/fields";
import { type FilterGroup, type FilterOptions, isFilterGroup } from "../definition/definition_options.ts";
import type { FilterKind } from "../definition/filter_kinds.ts";
import { listedQuery } from "../entry/read_page.ts";
import { choicesFor, moreText } from "../operations/choices.ts";
import { listContextOf, sortableNames } from "../operations/list_context.ts";
import { typedFields } from "../operations/typeahead.ts";
import { type ConditionGroup, MAX_GROUP_DEPTH, partsOf } from "../registration/conditions.ts";
import { type FilterValue, filterKind, handledFilter } from "../registration/filter_operators.ts";
import { conventionalFilters, listedColumns } from "../registration/list_conventions.ts";
import { declaredFilters, filtersOf, type ListRequest, sortable } from "../registration/list_params.ts";
import { fieldLabel, namedChoices, ownText, valueLabels } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";

/** An attribute that a list is filtered by with operators. */
export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly kind: FilterKind | "record";
  readonly mayBeEmpty: boolean;
  /** Whether its numbers have decimals, which languages write in forms of their own. */
  readonly isDecimal: boolean;
  /** An operator of its own, whose values are chosen. */
  readonly choice?: { readonly operator: string; readonly label: string; choices(): Choice[] } | undefined;
}

/**
 * The filters that are entered beside the search: those of the definition, but for days and numbers, which have two ends, and
 * what a chip shows: operators, and values of which any or none have to be met.
 */
export const standingFilters = (
  controller: ResourceRequest,
  names: readonly string[],
  { match, filters }: ConditionGroup,
): [name: string, options: FilterOptions | FilterGroup][] =>
  declaredFilters(controller.registration, names, listContextOf(controller)).filter(([name, options]) => {
    if (isFilterGroup(options)) return true;
    const [kind, value] = [filterKind(controller.registration, name), filters.get(name)];
    const isOwn = options.apply !== undefined || options.as !== undefined;
    const isChip = typeof value === "object" || (value !== undefined && kind !== undefined && match !== "all");
    return (isOwn || !["number", "date", "datetime", "time"].includes(kind ?? "")) && !isChip;
  });

/** What a person may choose of a list: by what it is filtered, its columns and its order. */
export class ListChoices {
  readonly #controller: ResourceRequest;
  /** The names of the list that the policy permits. */
  readonly names: readonly string[];

  constructor(controller: ResourceRequest, names: readonly string[] = controller.listOf("Index")) {
    this.#controller = controller;
    this.names = names;
  }

  /** How deep groups of conditions are nested. */
  static readonly maxDepth = MAX_GROUP_DEPTH;
  /** Whether there is an attribute that may be filtered by with operators. */
  get hasFields(): boolean {
    const { registration, currentUser } = this.#controller;
    if (currentUser !== undefined && conventionalFilters(registration, this.names).size > 0) return true;
    const declared = declaredFilters(registration, this.names, listContextOf(this.#controller));
    return declared.some(([name]) => filterKind(registration, name) !== undefined);
  }
  /** The attributes that may be filtered by with operators; guests have those that the definition declares. */
  fields(): FilterField[] {
    const { registration } = this.#controller;
    const offered = filtersOf(registration, this.names, listContextOf(this.#controller));
    return [...offered].flatMap(([name, options]) => {
      const kind = filterKind(registration, name);
      return kind === undefined ? [] : [this.#field(name, kind, options as FilterOptions)];
    });
  }
  #field(name: string, kind: FilterKind, { label }: FilterOptions): FilterField {
    const { registration } = this.#controller;
    const { model } = registration;
    const attribute = registration.attribute(name);
    const handled = handledFilter(registration, name);
    const stored = handled ? [handled.column] : model.columnsOf(name);
    const columns = stored.flatMap((one) => model.columns.get(one) ?? []);
    const t: Translate = (key, vars) => this.#controller.t(key, vars);
    const usual = fieldLabel(this.#controller, registration, attribute, "listed");
    return {
      name,
      label: registration.onceWithTexts(this.#controller, `label of the filter ${name}`, () =>
        ownText(this.#controller, registration, `filters.${name}`, label ?? usual),
      ),
      kind: attribute.association ? "record" : kind,
      mayBeEmpty: kind === "text" || columns.some(({ nullable }) => nullable),
      isDecimal: model.money[name] !== undefined || ["decimal", "float"].includes(columns[0]?.type ?? ""),
      ...(handled?.choice && {
        choice: { ...handled.choice, label: handled.choice.label(t), choices: () => handled.choice!.choices(t) },
      }),
    };
  }
  /** The conditions that a value of a filter is, each of which can be removed. */
  parts(name: string, value: FilterValue): FilterValue[] {
    return partsOf(this.#controller.registration, name, value);
  }
  /** Whether a list refuses what it is filtered by, as a number that is none. */
  refuses(list: ListRequest): boolean {
    try {
      listedQuery(this.#controller, list).toKnexQuery().toSQL(); // which reads the values
    } catch (error) {
      if (error instanceof HttpError) return true;
      throw error;
    }
    return false;
  }
  /** Whether what a list is filtered by is shown by an input beside the search. */
  isStanding(name: string, list: ConditionGroup): boolean {
    return standingFilters(this.#controller, this.names, list).some(([one]) => one === name);
  }
  /** The values of a choice or a record, those that are chosen among them; of many records the first, and where the others are searched. */
  async values(
    { name, kind }: FilterField,
    chosen: readonly string[],
  ): Promise<Pick<FieldView, "moreChoices" | "searchUrl"> & { choices: Choice[] }> {
    const { registration, listUrl } = this.#controller;
    const { model } = registration;
    if (kind === "record") {
      const { target } = model.associations.get(name)!;
      const { choices, more, capped } = await choicesFor(this.#controller, target, chosen, []);
      const isSearched = more > 0 && typedFields(this.#controller).includes(name);
      return {
        choices,
        moreChoices: moreText(this.#controller, { more, capped }),
        ...(isSearched ? { searchUrl: `${listUrl}/typeahead/${name}` } : {}),
      };
    }
    const { choices } = (registration.definition.filters.get(name) ?? {}) as FilterOptions;
    const own = typeof choices === "function" ? await choices(listContextOf(this.#controller)) : choices;
    const known = (own ?? model.choices[name] ?? model.columns.get(name)?.values ?? []).map(choiceOf);
    const labels = valueLabels(this.#controller, registration, name);
    return { choices: namedChoices(known, labels).map((one) => ({ ...one, selected: chosen.includes(one.value) })) };
  }

  /** Whether the person may choose columns and order. */
  get hasColumns(): boolean {
    return this.#controller.currentUser !== undefined && this.names.length > 1;
  }
  /** The columns that a list shows, in their order. */
  shown(list: ListRequest): readonly string[] {
    return list.columns ?? listedColumns(this.#controller.registration, this.names);
  }
  /** The columns that may be ordered by. */
  sortable(): readonly string[] {
    const offered = sortableNames(this.#controller, this.names);
    return this.names.filter((name) => sortable(name, this.#controller.registration, offered));
  }
}
