import type { FieldErrors, Params, SafeHtml, TimeZone } from "framewright/host";
import type { BaseModel, Query, Transaction } from "framewright/plugins/database";
import type { Choice, Translate } from "framewright/plugins/fields";
import type { Entry } from "../entry/entry.ts";
import type { ResourceRequest } from "../request.ts";
import type { Attribute } from "./attributes.ts";
import type { FilterKind, Operations } from "./filter_kinds.ts";

/** A form, or the body of a program's request, in which an attribute is sent. */
export interface HandledForm {
  readonly controller: ResourceRequest;
  readonly attribute: Attribute;
  /** The stored record; undefined for a new one. */
  readonly record: BaseModel | undefined;
  /** What was sent for the record: the values below its form key. */
  readonly sent: Params;
}

/** An attribute on a page with a form. */
export interface HandledInput extends Omit<HandledForm, "sent"> {
  /** What was typed; undefined for a form that begins with what is stored. */
  readonly typed: Params | undefined;
  /** Of a new record: the one whose values it begins with. */
  readonly pattern: BaseModel | undefined;
  /** What is wrong with the form: `photos` for the attribute as a whole, `parcels.1.area` for a part of it. */
  readonly errors: FieldErrors;
  /** The id of its element, and the name that its values are sent below: `permit[parcels]`. */
  readonly id: string;
  readonly inputName: string;
}

/** The input of an attribute, as it is drawn. */
export interface HandledView {
  readonly content: SafeHtml;
  /** Whether it sends files. */
  readonly multipart?: boolean;
  /** What is wrong with its parts, for the list of errors above the form. */
  readonly parts?: readonly { readonly id: string; readonly label: string; readonly errors: readonly string[] }[];
}

/** What was read of an attribute, to be written with its record. */
export interface HandledWrite {
  /** What its own columns get, with those of the record. */
  readonly columns?: Readonly<Record<string, unknown>>;
  /**
   * Writes in the transaction of the record, once its row is written; resolves with whether anything changed. It may run again
   * after a deadlock. @throws AttributeInvalid to undo it all, with errors at the form
   */
  write?(record: BaseModel, transaction: Transaction): Promise<boolean>;
  /** The transaction is committed. */
  committed?(record: BaseModel): Promise<void>;
  /** Nothing was written. */
  undone?(): Promise<void>;
}

/** The rows of an attribute as a file has them: a line for each, with a column for each of their fields. */
export interface HandledRows {
  /** By which the fields of a row are read; where rows are records, their own. */
  readonly controller: ResourceRequest;
  readonly fields: readonly { readonly label: string; readonly attribute: Attribute }[];
  /** Whether rows are records, which `id` names. */
  readonly areRecords: boolean;
}

/** How lists are filtered by an attribute, where nothing else is declared for its name. */
export interface HandledFilter {
  /** What its values are, which decides its operators. A value without an operator is that of `contains` for texts, else of `is`. */
  readonly kind: FilterKind;
  /** The column that decides how its values are entered. */
  readonly column: string;
  /** An operator of its own, whose values are chosen. */
  readonly choice?: { readonly operator: string; label(t: Translate): string; choices(t: Translate): Choice[] };
  /** Narrows by what was given for each operator; `compare` narrows by a column, as its own filter would. @throws HttpError 422 */
  apply(group: Query<BaseModel>, given: Operations, by: FilteredBy): void;
}
/** What a filter is applied with. */
export interface FilteredBy {
  readonly timeZone: TimeZone;
  compare(group: Query<BaseModel>, column: string, given: Operations): void;
}

/**
 * How a plugin serves an attribute in the place of resources: the rows of an association, files, a value without a column. It
 * is registered by `definition.handle(name, handler)`, and policies permit its name as any other. How its value is shown, and
 * is in JSON, is defined by its type of fields (`as` of `input` and `display`).
 */
export interface AttributeHandler {
  /** The plugin, as errors name it. */
  readonly plugin: string;
  /** Whether the name needs neither a column nor an association of the model. */
  readonly isNew?: boolean;
  /** The columns whose values it shows: a person who may read it may read them. */
  readonly columns?: readonly string[];
  readonly filter?: HandledFilter | undefined;
  /** Reads the values of a page's records at once, by their place in it; without it the value is that of the column or the association. */
  load?(entries: readonly Entry[], controller: ResourceRequest, attribute: Attribute): Promise<readonly unknown[]>;
  /** Whether a form was sent by a button of this attribute: it is drawn again, and not saved. */
  isRedrawn?(form: HandledForm): boolean;
  /** Reads what was sent: undefined where there is nothing to write, or errors by their path below the form. Without it no form writes the attribute. */
  read?(form: HandledForm): Promise<HandledWrite | { readonly errors: FieldErrors } | undefined>;
  /** Draws its input. */
  draw?(input: HandledInput): Promise<HandledView>;
  /** The rows that it has, of a stored record or a new one. */
  rows?(controller: ResourceRequest, attribute: Attribute, record: BaseModel | undefined): HandledRows | undefined;
}

/** A part of a record's form can't be written: everything is undone, and the form is shown again with these errors. */
export class AttributeInvalid extends Error {
  readonly errors: FieldErrors;

  constructor(errors: FieldErrors) {
    super(
      Object.entries(errors)
        .map(([name, texts]) => `${name}: ${texts.join(", ")}`)
        .join("; "),
    );
    this.errors = errors;
  }
}
