import type { BaseController, SafeHtml, Tenant, TimeZone } from "framewright/host";
import { describe } from "framewright/kernel";
import type { AnyRecord, AttributeName, BaseModel, QueryOf, ReadName } from "framewright/plugins/database";
import type { ChoiceList, FieldContext, FieldOptions, FilterTypeName, InputOptions } from "framewright/plugins/fields";
import type { TextContext, WithTexts } from "framewright/plugins/fields/rows";
import { errors } from "../errors.ts";
import type { ActionContext, ActionOptions, ResourceAction } from "./actions.ts";
import { checkActionOptions, settledAction, standardActions } from "./actions.ts";
import type { AttributeHandler } from "./attribute_handler.ts";
import type { TotalKind } from "./total_kinds.ts";

/** How a resource's field is entered or shown, and to whom. */
export interface ResourceFieldOptions<M extends AnyRecord = BaseModel> extends FieldOptions {
  /**
   * Where it is false the field is left out: of the record's page by `display`, of lists, where there is no record, by
   * `column`; by `input` and `field` also of a form, and of what is accepted from one and from JSON. Whether it may be read at all, also as JSON, is for the policy to say.
   */
  condition?(context: ActionContext<M>): boolean;
  /** What is shown in place of the value, where it is shown: a text, or html`…`. */
  format?(value: unknown, record: M): string | SafeHtml;
  /** The template that shows it, such as "products/_price"; it has `value` and `record`. */
  template?: string;
  /** Whether it stands in the column beside the others on the record's page; states, days, moments, and what a record belongs to do so by default. */
  aside?: boolean;
}

/** How a field is shown in lists. */
export interface ResourceColumnOptions<M extends AnyRecord = BaseModel> extends ResourceFieldOptions<M> {
  /** Whether its cells are edited in the list, by people who may edit the record and this attribute of it. */
  edit?: boolean;
  /** What a row below the list says of all its rows that match: of a number or an amount "sum", "average", "min" or "max", of any column "count". */
  total?: TotalKind;
}

/** How a field of a record's form is entered, and by whom. Its rules are those of the model. */
export interface ResourceInputOptions<M extends AnyRecord = BaseModel>
  extends WithTexts<InputOptions<M>, TextContext<M>> {
  tones?: FieldOptions["tones"];
  /** Of an association: false for no button that makes a record to choose; by default people who may create one have it. */
  addNew?: boolean;
}

/** Who asks for a list, and where. */
export interface ListContext {
  readonly currentUser: unknown;
  /** The tenant of a scoped portal. */
  readonly currentScopedEntity: Tenant | undefined;
  /** The record of a nested route that the list stands below. */
  readonly parent: BaseModel | undefined;
  /** The portal's name; undefined in the main application. */
  readonly portal: string | undefined;
  /** The person's time zone, in which days begin and end. */
  readonly timeZone: TimeZone;
}

/** How a list is filtered by a field, or under a name of its own. */
export interface FilterOptions<M extends AnyRecord = BaseModel> {
  /** A type that lists are filtered by: "select", "boolean", "text", "date", or one of a plugin. */
  as?: FilterTypeName;
  label?: string;
  /** What is chosen from; a function is called for each list. */
  choices?: ChoiceList | ((context: ListContext) => ChoiceList | PromiseLike<ChoiceList>);
  /** Of a boolean: what its two values are called, Yes and No by default: `{ true: "Published", false: "Draft" }`. */
  labels?: { readonly true?: string; readonly false?: string };
  /** Narrows by the value; by default equality, "contains" for text. With it the name need not be an attribute, and everybody may filter by it. */
  apply?(query: QueryOf<M>, value: string, context: ListContext): unknown;
  /** Where it is false the filter is not offered, and refused. */
  condition?(context: ListContext): boolean;
  /** Of a filter with `apply` under a name of its own: the columns that it reads, for people who may read them; by default those that its conditions name. */
  reads?: readonly AttributeName<M>[];
}
/** One input of a filter that has several. */
export type FilterInput = Pick<FilterOptions, "as" | "label" | "choices" | "labels">;
/** A filter of several inputs, under a name of its own: a value, or a class that implements it. */
export interface FilterGroup<M extends AnyRecord = BaseModel, Name extends string = string> {
  inputs: Readonly<Record<Name, FilterInput>>;
  /** Narrows by what was filled in; it is called where something was. */
  apply(query: QueryOf<M>, values: Readonly<Partial<Record<Name, string>>>, context: ListContext): unknown;
  /** Where it is false the filter is not offered, and refused. */
  condition?(context: ListContext): boolean;
  /** As `reads` of a filter of one input. */
  reads?: readonly AttributeName<M>[];
}
/** Whether a filter has several inputs. */
export const isFilterGroup = (filter: FilterOptions | FilterGroup): filter is FilterGroup => "inputs" in filter;

/** A tab above a list. */
export interface ScopeOptions<M extends AnyRecord = BaseModel> {
  label?: string;
  /** Narrows; by default by the model's scope of this name. */
  apply?(query: QueryOf<M>, context: ListContext): unknown;
  /** Whether the tab says how many records there are of it that the person may see, up to 1,000: a statement for each page of the list. */
  count?: boolean;
  /** Where it is false the tab is not offered, and refused. */
  condition?(context: ListContext): boolean;
  /** The columns that it reads, for people who may read them; by default those that its conditions name, keys of associations aside. */
  reads?: readonly AttributeName<M>[];
}
/** How a list is sorted by a name. */
export interface SortOptions<M extends AnyRecord = BaseModel> {
  /** Of an association to one record: the column of its target that the list is ordered by. */
  by?: string;
  /** Says `orderBy` or `orderByRaw` itself; then the name need not be an attribute, and everybody may sort by it. */
  using?(query: QueryOf<M>, direction: "asc" | "desc", context: ListContext): unknown;
  /** The columns that `using` reads, for people who may read them; by default those that its order names. */
  reads?: readonly AttributeName<M>[];
}

/** The page on which a section stands. */
export interface SectionPage<M extends AnyRecord = BaseModel> {
  readonly controller: BaseController;
  readonly record: M;
}
/** A part of a record's page, below its fields. */
export interface SectionOptions<M extends AnyRecord = BaseModel> {
  /** The heading; by default the key, as people read it. */
  title?: string | ((page: SectionPage<M>) => string);
  /** Returns the content, or undefined to leave the section out: html`<p>${record.title}</p>` escapes what it is given. */
  content(page: SectionPage<M>): SafeHtml | undefined | Promise<SafeHtml | undefined>;
}

/** Fields that stand together, under a heading. */
export interface FieldsetOptions<M extends AnyRecord = BaseModel> {
  /** A sentence below the heading. */
  text?: string;
  /** It folds: true begins closed, false open. A form opens it where something in it is wrong. */
  collapsed?: boolean;
  /** How many of its fields stand side by side where there is room; two by default. */
  columns?: 1 | 2 | 3 | 4;
  /**
   * Where it is false none of its fields is shown, on a form, where what is sent for them is ignored, and on the record's page.
   * `values` are those of the fields before each of them; on the record's page those of the record.
   */
  condition?(context: FieldContext<M>): boolean;
}
/** Fields that stand together as a tab. */
export type TabOptions<M extends AnyRecord = BaseModel> = Omit<FieldsetOptions<M>, "collapsed">;
/** A group of fields as it was declared. */
export interface Fieldset<M extends AnyRecord = BaseModel> extends FieldsetOptions<M> {
  readonly label: string;
  readonly names: readonly string[];
  readonly tab?: boolean;
}

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
  /** Columns that stand below the name of a record where it is chosen. */
  choiceColumns: readonly string[] = [];
  /** Whether a list has a search: without a declared one in its columns of one line. */
  isSearchable = true;
  /** The attributes that lists are not filtered by. */
  readonly unfiltered = new Set<string>();
  /** The scope of a list that asks for none. */
  initialScope: string | undefined;
  /** As in the query: `-created_at`; `-` where `defaultSort` was given a function. */
  order = "-id";
  /** The column of whole numbers by which people put the records in an order of their own. */
  reorderedBy: string | undefined;
  perPage = 20;
  /** A name of @tabler/icons: what stands beside it in a portal's navigation; by default one by the name of the model, as for orders or users. */
  icon: string | undefined = undefined;
  /** The heading that it stands under in a portal's navigation: `override group = "Content"`. */
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
   * days and numbers are filtered by without being named: `this.filter("status", false)` takes one away.
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
   * The order of a list that asks for none: `-created_at`, or a function that says `orderBy` or `orderByRaw` itself:
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
   * People put the records in an order of their own, which a column of whole numbers keeps: `this.reorder("position")`. It is
   * the order of a list that asks for none, unless `defaultSort` names another afterwards.
   */
  reorder(column: AttributeName<M>): void {
    this.defaultSort(column);
    this.reorderedBy = column;
  }
  /** The scope of a list that asks for none; `scope=all` then asks for all. */
  defaultScope(name: string): void {
    this.initialScope = name;
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
  /** What stands below the name of a record where it is chosen, of the columns that the person may read: `this.choiceLine(["street", "city"])`. */
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
   * Fields that stand together under a heading, in forms and on the record's page, in this order:
   * `this.fieldset("Delivery", ["due_on", "address"], { text: "When and where it goes." })`. Fields of no group stand before
   * the groups, and a group of which the person sees no field is left out.
   */
  fieldset(label: string, names: readonly ReadName<M>[], options: FieldsetOptions<M> = {}): void {
    this.fieldsets.push({ ...options, label, names });
  }
  /**
   * A group of fields as `fieldset`, that is a tab beside those declared before and after it:
   * `this.tab("Delivery", ["due_on", "address"], { condition: ({ values }) => values.kind === "parcel" })`. Without JavaScript
   * tabs stand one below the other.
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

/** The name of the sort by the function of `defaultSort`; no request can ask for it. */
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

/** A class of definitions. */
export type DefinitionClass<M extends AnyRecord = BaseModel> = new () => ResourceDefinition<M>;
