import type { Locale, SafeHtml, TimeZone } from "framewright/host";
import type { FieldType } from "../types/field_type.ts";

/** Looks a text up: `controller.t` or `request.t`. */
export type Translate = (key: string, variables?: Record<string, unknown>) => string;

export interface Choice {
  value: string;
  label: string;
  /** What is shown below the label. */
  line?: string | undefined;
  selected: boolean;
  /** One of the field's `groups`. */
  group?: string;
}

/** One input of a form, with everything around it. */
export interface FieldView {
  name: string;
  /** The name of its type, such as "string" or "association". */
  as: string;
  /** Its type; by default the framework's own of that name. */
  type?: FieldType;
  label: string;
  id: string;
  /** The name that is sent: `post[title]`. */
  inputName: string;
  /** The text to show; what was typed is preserved. A list for several choices. */
  value: string | readonly string[] | undefined;
  checked?: boolean;
  /** Of yes or no: whether it may be neither. */
  isOptional?: boolean;
  hint?: string;
  placeholder?: string;
  required: boolean;
  errors: readonly string[];
  choices?: readonly Choice[];
  /** The groups that the choices are in, in this order. */
  groups?: readonly string[];
  /** What is shown after the choices, of those that are left out. */
  moreChoices?: string | undefined;
  multiple?: boolean;
  /** Of a select: one of the choices is chosen always, and there is no empty one. */
  noBlank?: boolean;
  autocomplete?: string;
  readonly?: boolean;
  /** Where the choices of an association are searched for while typing; answers `{ data: [{ id, label }] }`. */
  searchUrl?: string;
  attributes?: Readonly<Record<string, string | number | boolean>>;
  /** Of a field that depends on others: what changes where it has to be drawn again; empty where it is not shown. */
  slot?: string;
  /** It is under "More fields" unless it is required: closed, or open since it has another value than usual. */
  secondary?: "closed" | "open";
  /** Of a choice of records: a button that leads to the form of another one, with the form as it is; scripts open `url` in a dialog. */
  beside?: { name: string; value: string; label: string; url: string } | undefined;
  /** Of a number: what is shown before and after its input, as a currency or a unit. */
  sign?: { before: string; after: string };
  /** Of a slider: its ends and its step. */
  range?: { readonly from: number; readonly to: number; readonly step?: number };
  /** Of a text in Markdown: the address of the script of its buttons, whether it has a preview, and what that shows. */
  editor?: { script: string; preview: boolean; shown?: SafeHtml } | undefined;
  /** Of a moment: the zone whose clocks it is entered by; UTC without one. */
  timeZone?: TimeZone | undefined;
  /** Of a number: the language whose form it is entered in; English without one. */
  locale?: Locale | undefined;
  /** Of a file: the one that is there already. */
  file?: KeptFileView;
  /** Drawn already: it takes the place of an input. */
  content?: SafeHtml;
  /** Whether what is drawn sends files. */
  multipart?: boolean;
  /** What is wrong with parts of it. */
  parts?: readonly { readonly id: string; readonly label: string; readonly errors: readonly string[] }[];
  /** Of a file or a secret that may be removed: the name of its checkbox, and whether it is ticked. */
  removeName?: string;
  isRemoved?: boolean;
  /** Of a file: the name that `file.sealed` is sent by. */
  keptName?: string;
}

/** A file that need not be chosen again. */
export interface KeptFileView {
  filename: string;
  size: number;
  /** What finds it again, where it is stored for the next try alone and not with its record. */
  sealed?: string;
}

/** Fields, or items of a record, that are shown together under a heading, by their names. */
export interface FieldsetView {
  label: string;
  text?: string;
  /** It is a tab, beside its neighbours that are. */
  tab?: boolean;
  /** It folds: closed at first, or open. What is wrong within opens it. */
  collapsed?: boolean | undefined;
  /** How many are shown side by side where there is room; two by default. */
  columns?: 1 | 2 | 3 | 4;
  names: readonly string[];
}

export interface FormView {
  /** For buttons that are elsewhere on the page. */
  id?: string;
  action: string;
  method: "post" | "patch" | "delete";
  csrf: SafeHtml;
  fields: readonly FieldView[];
  /** Groups of them; the others come before these. */
  fieldsets?: readonly FieldsetView[];
  /** Inside the form, around the fields: what plugins add. */
  beforeFields?: SafeHtml | undefined;
  afterFields?: SafeHtml | undefined;
  /** What is wrong with the record as a whole. */
  errors: readonly string[];
  lockVersion?: string | number;
  /** Marks of the values that the inputs of a record's form began with. */
  originals?: string;
  submitLabel: string;
  /** Whether what the form does is as grave as a deletion. */
  isDanger?: boolean;
  /** A second button, which sends its name and value along. */
  another?: { name: string; value: string; label: string };
  /** The text of the link back; "Cancel" without it. */
  cancelLabel?: string;
  cancelUrl?: string;
  /** The link back closes the dialog that the form is in. */
  inDialog?: boolean;
  multipart?: boolean;
  /** The answer is a download: the browser sends the form itself. */
  download?: boolean;
  returnTo?: string;
  t: Translate;
}

export interface ActionView {
  key: string;
  label: string;
  /** A name of @tabler/icons. */
  icon?: string;
  url: string;
  method: "get" | "post" | "patch" | "delete";
  category: "primary" | "secondary" | "danger";
  /** Asked in a dialog before the action is sent. */
  confirmation?: string;
  /** A page that asks, for everyone: without JavaScript it opens, with it the same form comes up as a dialog. */
  confirmUrl?: string;
  /** It opens over the page, in the dialog of the shell. */
  open?: "dialog" | "panel";
  /** Another Turbo frame that it opens in. */
  turboFrame?: string;
  /** The hidden token field; needed by every method but get, unless `confirmUrl` is given. */
  csrf?: SafeHtml;
  /** False: never fetched before it is clicked. */
  prefetch?: boolean;
  /** It opens in a tab of its own. */
  newTab?: boolean;
  /** The answer is a download: the browser sends the form itself. */
  download?: boolean;
}

export interface ColumnView {
  name: string;
  label: string;
  numeric?: boolean;
  /** Whether its cells show yes or no: then a narrow screen shows of what. */
  isBoolean?: boolean;
  /** Where columns do not fit beside each other, those of a lower number are hidden first; 0 by default. */
  priority?: number | undefined;
  render(record: unknown): SafeHtml;
}
export interface SortLink {
  url: string;
  direction?: "asc" | "desc";
  /** Its place in an order by several columns, from 1. */
  place?: number;
  /** The Turbo frame that it is shown in. */
  frame?: string;
}

export interface RowView {
  id: string | number;
  url?: string;
  /** What a person calls the record; makes "Edit" into "Edit: Hello" for screen readers. */
  label?: string;
  record: unknown;
  actions: readonly ActionView[];
}

export interface EmptyView {
  title: string;
  text: string;
  icon?: string;
  action?: ActionView;
}

export interface TableView {
  /** The same array on every request makes the table fast: what is fixed about it is worked out once. */
  columns: readonly ColumnView[];
  rows: readonly RowView[];
  empty: EmptyView;
  caption: string;
  /** Where a column's header leads; undefined for one that the list can't be sorted by. */
  sort?(column: string): SortLink | undefined;
  t: Translate;
}

export interface PagerView {
  page: number;
  perPage: number;
  total: number;
  pages: number;
  url(page: number): string;
  /** The total was not counted to its end. */
  capped?: boolean;
  /** The Turbo frame that pages are shown in, and what they are pages of, where a page has several lists. */
  frame?: string;
  of?: string;
  /** How many rows a page may have, where there is a choice. */
  sizes?: readonly { rows: number; url: string }[];
  /** Where the next page is, when it has no number. */
  next?: string | undefined;
  /** The language in which the total is written. */
  locale?: Locale | undefined;
  t: Translate;
}

export interface FilterView {
  /** The name that is sent: `filter[status]`. */
  name: string;
  label: string;
  /** The name of a type that lists are filtered by, such as "select" or "text". */
  as: string;
  /** The type; by default the framework's own of that name. */
  type?: FieldType | undefined;
  value: string | undefined;
  choices?: readonly { value: string; label: string }[];
}

export interface SearchView {
  /** The name that is sent; "q" by default. */
  name?: string;
  label: string;
  value: string | undefined;
}

/** Search and filters are one form: each keeps what is entered in the other. */
export interface ToolbarView {
  action: string;
  search?: SearchView;
  filters: readonly FilterView[];
  /** What the form carries along: the scope, the sort. */
  keep?: readonly { name: string; value: string }[];
  t: Translate;
}

export interface ScopeView {
  key: string;
  label: string;
  url: string;
  active: boolean;
  count?: number | string;
}

/** An attribute on a record's page. */
export interface DetailItem {
  name: string;
  label: string;
  value: SafeHtml;
  wide?: boolean;
  /** Shown in a column of its own beside the others, where there are some. */
  aside?: boolean;
  /** What it shows about the record, where that can be beside or below the title. */
  fact?: "state" | "reference" | "date" | "amount" | undefined;
  /** When the record was created or changed. */
  isStamp?: boolean;
}

export interface DetailsView {
  items: readonly DetailItem[];
  /** Groups of them, which are below the others. */
  fieldsets?: readonly FieldsetView[];
  /** Given, what has no value is folded away. */
  t?: Translate;
}

export interface ConfirmationView {
  title: string;
  text: string;
  action: string;
  method: "get" | "post" | "patch" | "delete";
  csrf: SafeHtml;
  submitLabel: string;
  /** Whether the button warns; it does for what is deleted. */
  isDanger?: boolean;
  /** The answer is a download: the browser sends the form itself. */
  download?: boolean;
  /** What has to be typed before it is done. */
  typed?: { name: string; label: string; error: string | undefined };
  /** It can't be done, as the text explains: there is a way back only. */
  isBlocked?: boolean;
  cancelUrl: string;
  lockVersion?: string | number;
  returnTo?: string;
  t: Translate;
}

/** One field of the page of a conflict. */
export interface ConflictRowView {
  name: string;
  label: string;
  /** Who changed it since the form was opened. What only they changed is in the form as they saved it. */
  by: "both" | "you" | "them";
  /** What is stored now. */
  theirs: SafeHtml;
  /** What was typed. */
  yours: SafeHtml;
}

export interface ConflictView {
  rows: readonly ConflictRowView[];
  /** When what is saved was saved, and by whom. */
  savedAt?: SafeHtml | undefined;
  /** The form that buttons beside the saved values send, and their name; their value is the name of the row. */
  button: { form: string; name: string };
  t: Translate;
}
