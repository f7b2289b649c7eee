import type { SafeHtml } from "framewright/host";
import { describe } from "framewright/kernel";
import type { AnyRecord, BaseModel } from "framewright/plugins/database";
import {
  type ActionOptions,
  predicateOf,
  type ResourceDefinition,
  type SectionPage,
} from "framewright/plugins/resources";
import { errors } from "./errors.ts";

/** Sizes of paper. */
const sizes = ["A4", "A5", "letter"] as const;

/** A page of a record for paper. */
export interface PrintPageOptions<M extends AnyRecord = BaseModel>
  extends Pick<ActionOptions<M>, "label" | "icon" | "condition" | "position" | "hidden"> {
  /** The heading; by default what people call the record. `false` for none. */
  title?: string | false | ((page: SectionPage<M>) => string);
  /** Returns what is printed: html`<p>${record.number}</p>` escapes what it is given. By default the fields of the record's page. */
  content?(page: SectionPage<M>): SafeHtml | Promise<SafeHtml>;
  /** The template that prints it, such as "permits/paper", in place of `content`; it has `record`. */
  template?: string;
  /** "A4" by default. */
  size?: (typeof sizes)[number];
  landscape?: boolean;
  /** The policy's predicate is named after this: `canPrintPermit` for "print_permit". By default people who may see the record may print it. */
  policy?: string;
}
export type PrintPage = PrintPageOptions & { readonly key: string };

declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends AnyRecord> {
    /** A page of a record for paper, at `<record>/print/<key>`: `this.printPage("permit", { content: ({ record }) => html`…` })`. */
    printPage(key: string, options?: PrintPageOptions<M>): void;
  }
}

/** Module-level: found by a definition, and freed with it: its pages for paper, by key. */
const pagesByDefinition = new WeakMap<object, Map<string, PrintPage>>();
export const printPagesOf = (definition: object): ReadonlyMap<string, PrintPage> =>
  pagesByDefinition.get(definition) ?? new Map<string, PrintPage>();

const known: readonly (keyof PrintPageOptions)[] = [
  ...(["label", "icon", "condition", "position", "hidden", "title", "content", "template", "size"] as const),
  ...(["landscape", "policy"] as const),
];

/** The macro `printPage` of one definition. @throws FW_PRINT_PAGE */
export function printPageMacro(definition: ResourceDefinition) {
  return (key: string, options: PrintPageOptions = {}): void => {
    check(definition.constructor.name, key, options);
    const pages = pagesByDefinition.get(definition) ?? new Map<string, PrintPage>();
    pagesByDefinition.set(definition, pages.set(key, { ...options, key }));
    const { label, icon = "printer", condition, position = 60, hidden, policy = "show" } = options;
    definition.action(`print_${key}`, {
      ...{ icon, position, policy, path: `print/${key}`, newTab: true, prefetch: false, collectionRecordAction: false },
      ...(label === undefined ? {} : { label }),
      ...(condition ? { condition } : {}),
      ...(hidden === undefined ? {} : { hidden }),
    });
  };
}

/** @throws FW_PRINT_PAGE */
function check(definition: string, key: string, options: PrintPageOptions): void {
  const refuse = (what: string) => errors.FW_PRINT_PAGE(definition, String(key), what);
  if (!/^[a-z][a-z\d_]*$/.test(key)) throw refuse("is no name of small letters, digits and underscores");
  const unknown = Object.keys(options).find((name) => !(known as readonly string[]).includes(name));
  if (unknown !== undefined) throw refuse(`has the option "${unknown}". There are: ${known.join(", ")}`);
  if (options.content && options.template !== undefined) throw refuse("has both content and template. Leave one out");
  if (options.content !== undefined && typeof options.content !== "function")
    throw refuse(`has content that is ${describe(options.content)}, and no function`);
  if (options.size !== undefined && !sizes.includes(options.size))
    throw refuse(`has the size "${options.size}". There are: ${sizes.join(", ")}`);
}

/** As `fw routes` names who may see the pages of a definition. */
export const predicatesOf = (pages: ReadonlyMap<string, PrintPage>): string =>
  [...new Set([...pages.values()].map(({ policy = "show" }) => predicateOf(policy)))].join(", ");
