import type { Run, StepSpec, StepValues, WizardFlow } from "../../contract/index.ts";

/** What is answered, under which schema, and what is set aside. */
type Answers = Pick<Run, "staged" | "schema" | "aside">;
interface Restored {
  staged: Run["staged"];
  schema: Run["schema"];
  aside: Run["aside"];
  restored: string[];
}
type Kept = Record<string, { schema: Record<string, string>; values: StepValues }>;

/** Returns the answers that were set aside and that the flow has a step for; `restored` names their steps. */
export function restoreAnswers({ steps }: Pick<WizardFlow, "steps">, { staged, schema, aside }: Answers): Restored {
  const found: Restored = { staged, schema, aside: {}, restored: [] };
  for (const [step, { schema: types, values }] of Object.entries(aside)) {
    if (!steps.some(({ key, was }) => key === step || was.includes(step))) {
      found.aside = { ...found.aside, [step]: { schema: types, values } };
      continue;
    }
    if (!Object.hasOwn(schema, step)) found.restored.push(step);
    found.staged = { ...found.staged, [step]: { ...values, ...staged[step] } };
    found.schema = { ...found.schema, [step]: { ...types, ...schema[step] } };
  }
  return found;
}

/** What is set aside once the answers at these places have none in the flow: whole steps, and whole fields of a step. */
export function setAside(
  { steps }: Pick<WizardFlow, "steps">,
  { staged, schema, aside }: Answers,
  dropped: readonly { readonly step: string; readonly field?: string }[],
): Run["aside"] {
  const kept: Kept = { ...aside };
  for (const { step, field } of dropped) {
    const values = staged[step];
    if (values === undefined) continue;
    if (field === undefined) kept[step] = { schema: schema[step] ?? {}, values };
    else keepField(kept, { step, name: nameOf(field), values, types: schema[step] ?? {} }, steps);
  }
  return kept;
}

/** The field that a path such as `invites[].email` begins with. */
const nameOf = (path: string): string => path.split(/\[\]|\./, 1)[0]!;

interface DroppedField {
  step: string;
  name: string;
  values: StepValues;
  types: Record<string, string>;
}
/** A field that the step still has, and whose answer can't be read any more, is dropped: both would have its name. */
function keepField(kept: Kept, { step, name, values, types }: DroppedField, steps: readonly StepSpec[]): void {
  const isStillAsked = steps.find(({ key }) => key === step)?.fields.some((field) => field.name === name);
  if (isStillAsked || !Object.hasOwn(values, name)) return;
  const own = Object.entries(types).filter(([path]) => nameOf(path) === name);
  const { schema, values: others } = kept[step] ?? { schema: {}, values: {} };
  kept[step] = { schema: { ...schema, ...Object.fromEntries(own) }, values: { ...others, [name]: values[name] } };
}
