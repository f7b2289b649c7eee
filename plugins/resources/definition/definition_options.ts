import { type BaseController, type SafeHtml, type Tenant, type TimeZone, utc } from "framewright/host";
import type { AnyRecord, AttributeName, BaseModel, QueryOf } from "framewright/plugins/database";
import type { ChoiceList, FieldContext, FieldOptions, FilterTypeName, InputOptions } from "framewright/plugins/fields";
import type { TextContext, WithTexts } from "framewright/plugins/fields/rows";
import type { ActionContext } from "./actions.ts";
import type { TotalKind } from "./total_kinds.ts";

/** How a resource's field is entered or shown, and to whom. */
export interface ResourceFieldOptions<M extends AnyRecord = BaseModel> extends FieldOptions {
  /**
   * Where it is false the field is left out: of the record's page by `display`, of lists, where there is no record, by
   * `column`; by `input` and `field` also of a form, and of what is accepted from one and from JSON. Whether it may be read at all, also as JSON, is for the policy to decide.
   */
  condition?(context: ActionContext<M>): boolean;
  /** What is shown in place of the value, where it is shown: a text, or html`…`. */
  format?(value: unknown, record: M): string | SafeHtml;
  /** The template that shows it, such as "products/_price"; it has `value` and `record`. */
  template?: string;
  /** Whether it is in the column beside the others on the record's page; states, days, moments, and what a record belongs to do so by default. */
  aside?: boolean;
}

/** How a field is shown in lists. */
export interface ResourceColumnOptions<M extends AnyRecord = BaseModel> extends ResourceFieldOptions<M> {
  /** Whether its cells are edited in the list, by people who may edit the record and this attribute of it. */
  edit?: boolean;
  /** Where columns do not fit beside each other, those of a lower number are hidden first, the last of these before others; 0 by default. */
  priority?: number;
  /** What a row below the list shows of all its rows that match: of a number or an amount "sum", "average", "min" or "max", of any column "count". */
  total?: TotalKind;
}

/** How a field of a record's form is entered, and by whom. Its rules are those of the model. */
export interface ResourceInputOptions<M extends AnyRecord = BaseModel>
  extends WithTexts<InputOptions<M>, TextContext<M>> {
  tones?: FieldOptions["tones"];
  /** Of an association: false for no button that makes a record to choose; by default people who may create one have it. */
  addNew?: boolean;
}

/** The person who requests a list, and where. */
export interface ListContext {
  readonly currentUser: unknown;
  /** The tenant of a scoped portal. */
  readonly currentScopedEntity: Tenant | undefined;
  /** The record of a nested route that the list is below. */
  readonly parent: BaseModel | undefined;
  /** The portal's name; undefined in the main application. */
  readonly portal: string | undefined;
  /** The person's time zone, in which days begin and end. */
  readonly timeZone: TimeZone;
}

/** A context without anybody: what a block reads of it is undefined. */
export const nobody: ListContext = {
  currentUser: undefined,
  currentScopedEntity: undefined,
  parent: undefined,
  portal: undefined,
  timeZone: utc,
};

/** How a list is filtered by a field, or under a name of its own. */
export interface FilterOptions<M extends AnyRecord = BaseModel> {
  /** A type that lists are filtered by: "select", "boolean", "text", "date", or one of a plugin. */
  as?: FilterTypeName;
  label?: string;
  /** What is chosen from; a function is called for each list. */
  choices?: ChoiceList | ((context: ListContext) => ChoiceList | PromiseLike<ChoiceList>);
  /** Of a boolean: what its two values are called, Yes and No by default: `{ true: "Published", false: "Draft" }`. */
  labels?: { readonly true?: string; readonly false?: string };
  /** Narrows by the value, a text as the address has it: of a boolean "1" or "0"; by default equality, "contains" for text. With it the name need not be an attribute, and everybody may filter by it. */
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
  /** Whether the tab shows how many records there are of it that the person may see, up to 1,000: a statement for each page of the list. */
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
  /** The columns that the list is ordered by in turn: `{ columns: ["last_name", "first_name"] }`. */
  columns?: readonly AttributeName<M>[];
  /** Calls `orderBy` or `orderByRaw` itself; then the name need not be an attribute, and everybody may sort by it. */
  using?(query: QueryOf<M>, direction: "asc" | "desc", context: ListContext): unknown;
  /** The columns that `using` reads, for people who may read them; by default those that its order names. */
  reads?: readonly AttributeName<M>[];
}

/** The page on which a section is shown. */
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

/** Fields that are shown together, under a heading. */
export interface FieldsetOptions<M extends AnyRecord = BaseModel> {
  /** A sentence below the heading. */
  text?: string;
  /** It folds: true begins closed, false open. A form opens it where something in it is wrong. */
  collapsed?: boolean;
  /** How many of its fields are shown side by side where there is room; two by default. */
  columns?: 1 | 2 | 3 | 4;
  /**
   * Where it is false none of its fields is shown, on a form, where what is sent for them is ignored, and on the record's page.
   * `values` are those of the fields before each of them; on the record's page those of the record.
   */
  condition?(context: FieldContext<M>): boolean;
}
/** Fields that are shown together as a tab. */
export type TabOptions<M extends AnyRecord = BaseModel> = Omit<FieldsetOptions<M>, "collapsed">;
/** A group of fields as it was declared. */
export interface Fieldset<M extends AnyRecord = BaseModel> extends FieldsetOptions<M> {
  readonly label: string;
  readonly names: readonly string[];
  readonly tab?: boolean;
}
