import { describe } from "framewright/kernel";
import type { AnyRecord, AttributeName, BaseModel, QueryOf, ReadName } from "framewright/plugins/database";
import { errors } from "../errors.ts";
import type { ActionOptions, ResourceAction } from "./actions.ts";
import { checkActionOptions, settledAction, standardActions } from "./actions.ts";
import type { AttributeHandler } from "./attribute_handler.ts";
import type {
  Fieldset,
  FieldsetOptions,
  FilterGroup,
  FilterOptions,
  ListContext,
  ResourceColumnOptions,
  ResourceFieldOptions,
  ResourceInputOptions,
  ScopeOptions,
  SectionOptions,
  SortOptions,
  TabOptions,
} from "./definition_options.ts";

declare const ofModel: unique symbol;
/** Methods that plugins add to definitions (`wizard`). */
export interface DefinitionMacros<M extends AnyRecord> {
  readonly [ofModel]?: M;
}
export interface ResourceDefinition<M extends AnyRecord> extends DefinitionMacros<M> {}

/**
 * How a resource's fields are entered and shown in a portal. Which of them exist is decided by the policy.
 * Its methods are called in `configure()`, which begins with `super.configure()`.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: macros are installed on each object when it is created
export class ResourceDefinition<M extends AnyRecord = BaseModel> {
  readonly inputs = new Map<string, ResourceInputOptions<M>>();
  readonly displays = new Map<string, ResourceFieldOptions<M>>();
  readonly columns = new Map<string, ResourceColumnOptions<M>>();
  readonly filters = new Map<string, FilterOptions<M> | FilterGroup<M>>();
  readonly scopes = new Map<string, ScopeOptions<M>>();
  readonly sorts = new Map<string, SortOptions<M>>();
  readonly actions = new Map<string, ResourceAction>();
  readonly sections = new Map<string, SectionOptions<M>>();
  /** The attributes that plugins serve. */
  readonly handlers = new Map<string, AttributeHandler>();
  readonly fieldsets: Fieldset<M>[] = [];
  searcher: ((query: QueryOf<M>, term: string, context: ListContext) => unknown) | undefined;
  /** What the searcher reads: columns, and `author.name` of an association; undefined where it does not declare it. */
  searchReads: readonly string[] | undefined;
  /** The columns that a search of this definition looks in, without a query of its own. */
  searched: readonly string[] | undefined;
  /** Columns that are shown below the name of a record where it is chosen. */
  choiceColumns: readonly string[] = [];
  /** Whether a list has a search: without a declared one in its columns of one line. */
  isSearchable = true;
  /** The attributes that lists are not filtered by. */
  readonly unfiltered = new Set<string>();
  /** The scope of a list that requests none. */
  initialScope: string | undefined;
  /** Whether the tabs begin with that of all records. */
  hasAllTab = true;
  /** As in the query: `-created_at`; `-` where `defaultSort` was given a function. */
  order = "-id";
  /** The column of whole numbers by which people put the records in an order of their own. */
  reorderedBy: string | undefined;
  perPage = 20;
  /** A name of @tabler/icons: the icon beside it in a portal's navigation; by default one by the name of the model, as for orders or users. */
  icon: string | undefined = undefined;
  /** The heading that it is listed under in a portal's navigation: `override group = "Content"`. */
  group: string | undefined = undefined;
  /** Set by the root's configure(), so that a forgotten super.configure() is noticed. */
  reached = false;

  configure(): void {
    this.reached = true;
    standardActions((key, options) => this.action(key, options));
  }

  /** For plugins: serves an attribute in the place of resources. @throws FW_ATTRIBUTE_HANDLED_TWICE */
  handle(name: string, handler: AttributeHandler): void {
    const other = this.handlers.get(name);
    if (other && other.plugin !== handler.plugin)
      throw errors.FW_ATTRIBUTE_HANDLED_TWICE(this.constructor.name, name, other.plugin, handler.plugin);
    this.handlers.set(name, handler);
  }
  /** How a field is entered and shown, both. */
  field(name: AttributeName<M>, options: ResourceFieldOptions<M>): void {
    this.input(name, options);
    this.display(name, options);
  }
  /** How a field is entered: `this.input("body", { as: "markdown", hint: "…" })`. */
  input(name: AttributeName<M>, options: ResourceInputOptions<M>): void {
    this.inputs.set(name, { ...this.inputs.get(name), ...options });
  }
  /** How a field is shown on the record's page, and in lists unless `column` differs; a getter of the model, too. */
  display(name: ReadName<M>, options: ResourceFieldOptions<M>): void {
    this.displays.set(name, { ...this.displays.get(name), ...options });
  }
  /** How a field is shown in lists: `this.column("status", { edit: true })`. */
  column(name: ReadName<M>, options: ResourceColumnOptions<M> = {}): void {
    this.columns.set(name, { ...this.columns.get(name), ...options });
  }
  /**
   * How a list is filtered: `this.filter("status")`; with `apply` under a name of its own:
   * `this.filter("mine", { as: "boolean", apply: (query, value, { currentUser }) => … })`, of several inputs with
   * `this.filter("price", { inputs: { from: {}, to: {} }, apply: (query, { from, to }) => … })`. Choices, booleans, records,
   * days and numbers are filtered by without being named: `this.filter("status", false)` removes one.
   */
  filter(name: ReadName<M>, none: false): void;
  filter<Name extends string>(name: string, group: FilterGroup<M, Name>): void;
  filter(name: ReadName<M>, options?: FilterOptions<M>): void;
  filter(name: string, options: FilterOptions<M> & Required<Pick<FilterOptions<M>, "apply">>): void;
  filter(name: string, options: FilterOptions<M> | FilterGroup<M> | false = {}): void {
    if (options === false) {
      this.filters.delete(name);
      this.unfiltered.add(name);
    } else this.filters.set(name, options);
  }
  /** A tab above the list: a named scope of the model, or one of its own: `this.scope("mine", { apply: (query, { currentUser }) => … })`. */
  scope(name: string, options: ScopeOptions<M> = {}): void {
    this.scopes.set(name, options);
  }
  /** What a list can be sorted by: `this.sort("body", "settled")`. Permitted columns are without being named, documents and long texts excepted. */
  sort(...names: AttributeName<M>[]): void;
  /** How a list is sorted by a name: `this.sort("author", { by: "name" })`; with `using` under a name of its own. */
  sort(name: AttributeName<M>, options: SortOptions<M>): void;
  sort(name: string, options: SortOptions<M> & Required<Pick<SortOptions<M>, "using">>): void;
  sort(...given: (string | SortOptions<M>)[]): void {
    const options = given.find((one) => typeof one !== "string") ?? {};
    for (const name of given) if (typeof name === "string") this.sorts.set(name, options);
  }
  /**
   * The order of a list that requests none: `-created_at`, or a function that calls `orderBy` or `orderByRaw` itself:
   * `this.defaultSort((query) => query.orderBy("featured", "desc").orderBy("created_at", "desc"))`.
   */
  defaultSort(
    order: AttributeName<M> | `-${AttributeName<M>}` | ((query: QueryOf<M>, context: ListContext) => unknown),
  ): void {
    this.sorts.delete(OWN_ORDER);
    this.order = typeof order === "function" ? `-${OWN_ORDER}` : order;
    if (typeof order === "function") this.sorts.set(OWN_ORDER, { using: orderUsing(order) });
  }
  /**
   * People put the records in an order of their own, which a column of whole numbers stores: `this.reorder("position")`. It is
   * the order of a list that requests none, unless `defaultSort` names another afterwards. Pages show the column where
   * something is declared of it, as by `this.column("position")`.
   */
  reorder(column: AttributeName<M>): void {
    this.defaultSort(column);
    this.reorderedBy = column;
  }
  /** Names without the column of `reorder`, unless something is declared of it: people see the handles of rows in its place. */
  withoutOrder(names: readonly string[]): readonly string[] {
    const { reorderedBy: order, inputs, displays, columns, filters, fieldsets } = this;
    if (order === undefined || !names.includes(order)) return names;
    const isDeclared = [inputs, displays, columns, filters].some((fields) => fields.has(order));
    const isGrouped = fieldsets.some((set) => set.names.includes(order));
    return isDeclared || isGrouped ? names : names.filter((name) => name !== order);
  }
  /** The scope of a list that requests none; `scope=all` then requests all, by a tab that `{ all: false }` leaves out. */
  defaultScope(name: string, { all = true }: { readonly all?: boolean } = {}): void {
    this.initialScope = name;
    this.hasAllTab = all;
  }
  /**
   * What the search box looks in: `this.search(["number", "street"])`, of which each person has the columns that the policy
   * permits them to read. With a query of its own it declares what that reads, and runs for people who may read all of it:
   * `this.search((query, term) => …, { reads: ["name", "author.name"] })`; undeclared it runs where the policy hides no
   * column of the model. Without a search the columns of one line are searched that the person may read; for `false` none.
   */
  search(none: false): void;
  search(columns: readonly AttributeName<M>[]): void;
  search(
    narrow: (query: QueryOf<M>, term: string, context: ListContext) => unknown,
    options?: { reads: readonly string[] },
  ): void;
  search(
    given: ((query: QueryOf<M>, term: string, context: ListContext) => unknown) | readonly string[] | false,
    options?: { reads: readonly string[] },
  ): void {
    this.searcher = typeof given === "function" ? given : undefined;
    this.searched = typeof given === "object" ? given : undefined;
    this.searchReads = options?.reads;
    this.isSearchable = given !== false;
  }
  /** What is shown below the name of a record where it is chosen, of the columns that the person may read: `this.choiceLine(["street", "city"])`. */
  choiceLine(columns: readonly AttributeName<M>[]): void {
    this.choiceColumns = columns;
  }
  /** A part of the record's page, below its fields: `this.section("stock", { content: ({ record }) => html`…` })`. @throws FW_SECTION_OPTION */
  section(key: string, options: SectionOptions<M>): void {
    if (typeof options?.content !== "function")
      throw errors.FW_SECTION_OPTION(this.constructor.name, key, describe(options?.content));
    this.sections.set(key, options);
  }
  /**
   * Fields that are shown together under a heading, in forms and on the record's page, in this order:
   * `this.fieldset("Delivery", ["due_on", "address"], { text: "When and where it goes." })`. Fields of no group come before
   * the groups, and a group of which the person sees no field is left out.
   */
  fieldset(label: string, names: readonly ReadName<M>[], options: FieldsetOptions<M> = {}): void {
    this.fieldsets.push({ ...options, label, names });
  }
  /**
   * A group of fields as `fieldset`, that is a tab beside those declared before and after it:
   * `this.tab("Delivery", ["due_on", "address"], { condition: ({ values }) => values.kind === "parcel" })`. Without JavaScript
   * tabs are shown one below the other.
   */
  tab(label: string, names: readonly ReadName<M>[], options: TabOptions<M> = {}): void {
    this.fieldsets.push({ ...options, label, names, tab: true });
  }
  /**
   * Something that can be done, to a record or to the collection. `this.action("duplicate")` alone opens the form of a new
   * record with what the person may read and write of another.
   */
  action(key: string, options: ActionOptions<M> = {}): void {
    checkActionOptions(this.constructor.name, key, options);
    const presented = options.interaction?.presents;
    const action = { ...this.actions.get(key), ...presented, ...options, key } as ResourceAction;
    this.actions.set(key, settledAction(action, options));
  }
}

/** The name of the sort by the function of `defaultSort`; no request can name it. */
export const OWN_ORDER = "";

/** With as many parameters as the function looks at: what needs no context is checked at boot. */
const orderUsing = <M extends AnyRecord>(
  order: (query: QueryOf<M>, context: ListContext) => unknown,
): SortOptions<M>["using"] & {} =>
  order.length < 2
    ? (query) => (order as (query: QueryOf<M>) => unknown)(query)
    : (query, _direction, context) => order(query, context);

/** How messages name a sort. */
export const sortLabel = (definition: ResourceDefinition, name: string): string =>
  `${definition.constructor.name}.${name === OWN_ORDER ? "defaultSort" : `sort("${name}")`}`;

/** The sorts of an order, with the columns in the place of a sort that has several. */
export const inTurn = <S extends { name: string }>(sorts: readonly S[], { sorts: declared }: ResourceDefinition): S[] =>
  sorts.flatMap((sort) => declared.get(sort.name)?.columns?.map((name) => ({ ...sort, name })) ?? [sort]);

/** A class of definitions. */
export type DefinitionClass<M extends AnyRecord = BaseModel> = new () => ResourceDefinition<M>;
