import type { FieldErrors, Locale, ParamObject, TimeZone } from "framewright/host";
import type { FieldContext, FieldView } from "framewright/plugins/fields";
import type { FieldScope, FieldSpec, StagedFile, StepSpec, StepValues } from "../contract/index.ts";

/** The values of a step's form. */
export interface FormValues {
  readonly step: Pick<StepSpec, "fields">;
  /** The stored answers; undefined for a step that was not answered yet. */
  readonly values?: StepValues | undefined;
  /** The typed input, shown instead of the stored answers. */
  readonly typed?: ParamObject | undefined;
  /** The draft, for its files. */
  readonly draft?: ParamObject | undefined;
  readonly errors?: FieldErrors | undefined;
  /** What the fields' conditions and defaults are given. */
  readonly scope?: FieldScope;
  /** The time zone of the person who answers. */
  readonly timeZone?: TimeZone | undefined;
  /** The person's language, in whose form numbers are entered. */
  readonly locale?: Locale | undefined;
  /** What the catalogue says of the wizard. */
  readonly textOf?: TextOf | undefined;
}
/** A text of a wizard in the catalogue, as `fields.reason`, else what the code says. */
export type TextOf = (path: string, otherwise: string) => string;
/** As the code says. */
export const ownWords: TextOf = (_, otherwise) => otherwise;

/** An element of a form: a field, a group, a repeated field, or the place of one that depends on others. */
export type Node = FieldNode | GroupNode | RepeatedNode | SlotNode;
export interface SlotNode {
  readonly kind: "slot";
  readonly id: string;
  readonly path: string;
  /** Empty where the field is not shown. */
  readonly node: FieldNode | GroupNode | RepeatedNode | undefined;
}
export interface FieldNode {
  readonly kind: "field";
  readonly spec: FieldSpec;
  readonly view: FieldView;
  readonly path: string;
  /** What its choices are found with. */
  readonly context: FieldContext;
  /** What is stored already: a file, or a password (never its value). */
  readonly kept: StagedFile | "password" | undefined;
  /** A file of the draft: name and value of the hidden input that refers to it. */
  readonly reference: { readonly name: string; readonly value: string } | undefined;
  /** Name of the checkbox that removes a stored file, and whether it is checked. */
  readonly removeName: string;
  readonly isRemoved: boolean;
}
export interface NodeHeading {
  readonly id: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly errors: readonly string[];
}
export interface GroupNode extends NodeHeading {
  readonly kind: "group";
  readonly nodes: readonly Node[];
}
export interface RepeatedNode extends NodeHeading {
  readonly kind: "repeated";
  /** `invites`: the value of the add button. */
  readonly path: string;
  readonly inputName: string;
  readonly entries: readonly { readonly was: string | undefined; readonly nodes: readonly Node[] }[];
  readonly isFull: boolean;
}
