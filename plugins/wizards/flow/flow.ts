import { suggest } from "framewright/kernel";
import type { BaseModel } from "framewright/plugins/database";
import type { StepSpec, SubmitContext } from "../contract/index.ts";
import { errors } from "../errors.ts";
import { Fields } from "./fields.ts";
import type { Import } from "./model_fields.ts";
import type { Answers, Importable, Imported, Simplify, StepOptions } from "./types.ts";

/** A step as it was said, before a model's attributes are known. */
export interface SaidStep extends StepSpec {
  readonly using: Import | undefined;
}
const optionNames = ["label", "description", "condition", "was", "using", "fields", "except"];
const bare = { was: [], condition: undefined, onSubmit: undefined, onRollback: undefined, using: undefined };

/** The steps of a wizard as they are being said; each word returns a new flow. */
export class Flow<Data = {}, Conditional extends keyof Data = never> {
  /** Only in the types: what `execute` reads. */
  declare readonly answers: Answers<Data, Conditional>;
  readonly said: readonly SaidStep[];

  constructor(said: readonly SaidStep[] = []) {
    this.said = said;
  }

  /**
   * Adds a step: `.step("billing", { condition: ({ data }) => data.company?.plan === "paid" }, (f) => f.string("vat"))`.
   * @throws FW_WIZARD_STEP_OPTION
   */
  step<
    const K extends string,
    F = {},
    R extends boolean = never,
    M extends BaseModel = never,
    const N extends Importable<M> = never,
    const X extends Importable<M> = never,
  >(
    key: K,
    options: StepOptions<Data, R, M, N, X> = {},
    fields?: (f: Fields) => Fields<F>,
  ): Flow<
    Simplify<Data & Record<K, Simplify<Imported<M, N, X> & F>>>,
    (Conditional | ([R] extends [never] ? never : K)) & keyof Simplify<Data & Record<K, unknown>>
  > {
    const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
    if (unknown !== undefined) throw errors.FW_WIZARD_STEP_OPTION(key, unknown, suggest(unknown, optionNames));
    const { label, description, condition, was = [], using: model, fields: names, except = [] } = options;
    return this.with({
      ...bare,
      key,
      label,
      description,
      review: false,
      fields: fields?.(new Fields()).specs ?? [],
      was: [was].flat(),
      condition: condition as StepSpec["condition"],
      using: model && { model, names, except },
    });
  }

  /** Runs when the step is sent, in the transaction that keeps it; `fail` stops it. @throws FW_WIZARD_STEP_UNKNOWN */
  onSubmit<K extends keyof Data & string>(
    key: K,
    run: (context: SubmitContext<Readonly<Partial<Data> & Pick<Data, K>>>) => unknown,
  ): Flow<Data, Conditional> {
    return this.change("onSubmit", key, run);
  }

  /**
   * Runs before what the step persisted is destroyed: the run was cancelled or expired, or another answer hid the step.
   * @throws FW_WIZARD_STEP_UNKNOWN
   */
  onRollback<K extends keyof Data & string>(
    key: K,
    run: (context: SubmitContext<Readonly<Partial<Data>>>) => unknown,
  ): Flow<Data, Conditional> {
    return this.change("onRollback", key, run);
  }

  /** The last step: everything that was answered, to be looked over. */
  review({ label, description }: { label?: string; description?: string } = {}): Flow<Data, Conditional> {
    return this.with({ ...bare, key: "review", label, description, review: true, fields: [] });
  }

  with<D, C extends keyof D>(step: SaidStep): Flow<D, C> {
    return new Flow<D, C>([...this.said, step]);
  }

  change(word: "onSubmit" | "onRollback", key: string, run: unknown): Flow<Data, Conditional> {
    const keys = this.said.map((step) => step.key);
    if (!keys.includes(key)) throw errors.FW_WIZARD_STEP_UNKNOWN(word, key, suggest(key, keys));
    return new Flow(this.said.map((step) => (step.key === key ? { ...step, [word]: run } : step)));
  }
}

/** Begins a wizard's flow: `steps().step("company", { … }, (f) => f.string("name"))`. */
export const steps = (): Flow => new Flow();
