import type { AnyRecord, BaseModel } from "framewright/plugins/database";
import type { Translate } from "./components/types.ts";
import type { FieldContext } from "./options.ts";

/** What the functions of an input's texts are given: the person who fills the form in, for which record, and `t` in their language. */
export interface TextContext<M extends AnyRecord = BaseModel> extends Omit<FieldContext<M>, "values"> {
  t: Translate;
}
/** A text of an input, or a function that returns it each time; undefined for none. */
export type InputText<Context = TextContext> = string | { of(context: Context): string | undefined }["of"];

/** The texts of an input: what it is called, and what is shown below it and in it while it is empty. */
export interface InputTexts<Context = TextContext> {
  label?: InputText<Context>;
  hint?: InputText<Context>;
  placeholder?: InputText<Context>;
}
/** Options of an input whose texts may be functions. */
export type WithTexts<Options, Context = TextContext> = Omit<Options, keyof InputTexts> & InputTexts<Context>;

type Texts = { [K in keyof InputTexts]?: string };
/** Options whose texts that are functions are aside, in `texts`. */
export type SettledTexts<Options> = Omit<Options, keyof InputTexts> &
  Texts & { readonly texts?: (context: never) => Texts };

const names = ["label", "hint", "placeholder"] as const;

/** The options with their functions aside, so that a label that is read without a form is a text. */
export function settleTexts<Options extends object>(options: Options): SettledTexts<Options> {
  const given = options as InputTexts;
  const dynamic = names.filter((name) => typeof given[name] === "function");
  if (dynamic.length === 0) return options as SettledTexts<Options>;
  const settled = { ...(options as Record<string, unknown>) };
  for (const name of dynamic) delete settled[name];
  const texts = (context: TextContext): Texts =>
    Object.fromEntries(
      dynamic.flatMap((name) => {
        const text = (given[name] as Exclude<InputText, string>)(context);
        return text === undefined ? [] : [[name, text]];
      }),
    );
  return { ...settled, texts } as unknown as SettledTexts<Options>;
}

/** What the functions of an input's texts return for a form; nothing where it has none. */
export const textsFor = (settled: object, context: TextContext): Texts =>
  (settled as { texts?: (context: TextContext) => Texts }).texts?.(context) ?? {};
