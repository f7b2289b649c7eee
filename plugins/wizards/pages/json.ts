import type { Reply } from "framewright/host";
import { kindOf, rowsOf, valueOfRows, withDraftFiles } from "framewright/plugins/fields/rows";
import type { FieldSpec, Notice, Run, StepValues } from "../contract/index.ts";
import { stepLabel } from "./frame.ts";
import type { PageContext } from "./open_request.ts";

/** A step as JSON: the progress, and the stored answers without passwords and storage keys. */
export async function stepJson(
  context: PageContext,
  run: Run,
  key: string,
  notices: readonly Notice[] = [],
): Promise<Reply> {
  const { controller, engine, mount, visit } = context;
  const step = mount.wizard.flow.step(key)!;
  const steps = (await engine.progress(visit, run)).map(({ step: one, ...known }) => ({
    key: one.key,
    label: stepLabel(context, one),
    ...known,
  }));
  const values = shown(step.fields, run.staged[key] ?? {});
  const kept = run.drafts[key];
  const draft = kept && shown(step.fields, withDraftFiles(step.fields, kept, kept) as StepValues);
  const messages = [...run.notices, ...notices].map(({ text, vars }) => controller.t(text, vars));
  const extra = { ...(draft ? { draft } : {}), ...(messages.length > 0 ? { notices: messages } : {}) };
  return controller.json({ data: { wizard: mount.name, run: String(run.id), step: key, steps, values, ...extra } });
}

function shown(fields: readonly FieldSpec[], values: StepValues): StepValues {
  const kept = fields.filter((field) => !kindOf(field).isSecret && Object.hasOwn(values, field.name));
  return Object.fromEntries(kept.map((field) => [field.name, shownValue(field, values[field.name])]));
}

function shownValue(field: FieldSpec, value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (kindOf(field).isFile) {
    const { filename, type, size } = value as Record<string, unknown>;
    return { filename, type, size };
  }
  if (field.type === "group") return shown(field.fields, value as StepValues);
  if (field.type !== "repeated") return value;
  return valueOfRows(
    field,
    (rowsOf(value, field.rows) ?? []).map((entry) => shown(field.fields, entry)),
  );
}
