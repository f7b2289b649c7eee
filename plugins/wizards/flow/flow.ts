import { suggest } from "framewright/kernel";
import type { BaseModel } from "framewright/plugins/database";
import type { ReviewSpec, StepSpec, SubmitContext } from "../contract/index.ts";
import { errors } from "../errors.ts";
import { Fields } from "./fields.ts";
import type { ModelImport } from "./model_fields.ts";
import type { Answers, Importable, Imported, ReviewOptions, Simplify, StepOptions } from "./types.ts";

/** A step as declared; the fields of `using` are added once the model's table is known. */
export interface DeclaredStep extends StepSpec {
  readonly using: ModelImport | undefined;
}
const optionNames = ["label", "description", "condition", "was", "using", "fields", "except"];
const reviewOptions: readonly string[] = ["label", "description", "summary", "content"];
const blankStep = { was: [], condition: undefined, onSubmit: undefined, onRollback: undefined, using: undefined };

/** The steps of a wizard as they are declared; each method returns a new flow. */
export class Flow<Data = {}, Conditional extends keyof Data = never> {
  /** Type level only: the type of the answers in `execute`. */
  declare readonly answers: Answers<Data, Conditional>;
  readonly declaredSteps: readonly DeclaredStep[];

  constructor(steps: readonly DeclaredStep[] = []) {
    this.declaredSteps = steps;
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
    fields?: (f: Fields<{}, Data>) => Fields<F, Data>,
  ): Flow<
    Simplify<Data & Record<K, Simplify<Imported<M, N, X> & F>>>,
    (Conditional | ([R] extends [never] ? never : K)) & keyof Simplify<Data & Record<K, unknown>>
  > {
    const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
    if (unknown !== undefined) throw errors.FW_WIZARD_STEP_OPTION(key, unknown, suggest(unknown, optionNames));
    const { label, description, condition, was = [], using: model, fields: names, except = [] } = options;
    return this.with({
      ...blankStep,
      key,
      label,
      description,
      review: undefined,
      fields: fields?.(new Fields()).specs ?? [],
      was: [was].flat(),
      condition: condition as StepSpec["condition"],
      using: model && { model, names, except },
    });
  }

  /** Runs when the step is submitted, in the transaction that stores its answers; `fail` stops it. @throws FW_WIZARD_STEP_UNKNOWN */
  onSubmit<K extends keyof Data & string>(
    key: K,
    run: (context: SubmitContext<Readonly<Partial<Data> & Pick<Data, K>>>) => unknown,
  ): Flow<Data, Conditional> {
    return this.withHandler("onSubmit", key, run);
  }

  /**
   * Runs before the step's persisted records are destroyed, when the run is cancelled or expires, or an answer hides the step.
   * @throws FW_WIZARD_STEP_UNKNOWN
   */
  onRollback<K extends keyof Data & string>(
    key: K,
    run: (context: SubmitContext<Readonly<Partial<Data>>>) => unknown,
  ): Flow<Data, Conditional> {
    return this.withHandler("onRollback", key, run);
  }

  /**
   * The last step: a summary of all answers, and what `content` returns: `.review({ content: ({ data }) => html`<p>${data.company?.name}</p>` })`.
   * @throws FW_WIZARD_REVIEW_OPTION
   */
  review(options: ReviewOptions<Data> = {}): Flow<Data, Conditional> {
    const unknown = Object.keys(options).find((name) => !reviewOptions.includes(name));
    if (unknown !== undefined) throw errors.FW_WIZARD_REVIEW_OPTION(unknown, suggest(unknown, reviewOptions));
    const { label, description, summary = true, content } = options;
    const review = { summary, content: content as ReviewSpec["content"] };
    return this.with({ ...blankStep, key: "review", label, description, review, fields: [] });
  }

  with<D, C extends keyof D>(step: DeclaredStep): Flow<D, C> {
    return new Flow<D, C>([...this.declaredSteps, step]);
  }

  withHandler(method: "onSubmit" | "onRollback", key: string, run: unknown): Flow<Data, Conditional> {
    const keys = this.declaredSteps.map((step) => step.key);
    if (!keys.includes(key)) throw errors.FW_WIZARD_STEP_UNKNOWN(method, key, suggest(key, keys));
    return new Flow(this.declaredSteps.map((step) => (step.key === key ? { ...step, [method]: run } : step)));
  }
}

/** Starts the declaration of a wizard's flow: `steps().step("company", { … }, (f) => f.string("name"))`. */
export const steps = (): Flow => new Flow();
