import type { Transaction } from "framewright/plugins/database";
import type { DeclaredField } from "framewright/plugins/fields";
import { fieldSource, type ResourceController } from "framewright/plugins/resources";
import { Refusal, targetOf } from "framewright/plugins/resources/toolkit";
import type { RunAction } from "./enter.ts";

/**
 * Looks again for what was chosen when the run was started: a record may be out of sight by now, and a function may return
 * other choices. @throws Refusal
 */
export async function checkChoices(
  controller: ResourceController,
  { interaction, onList }: RunAction,
  values: Readonly<Record<string, unknown>>,
  transaction: Transaction,
): Promise<void> {
  const source = fieldSource(controller, onList ? undefined : controller.record, transaction);
  const before: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(interaction.attributes) as [string, DeclaredField][]) {
    const context = source.context({ ...before });
    const value = values[name] ?? null;
    before[name] = value;
    const target = targetOf(name, field, controller.registration.model);
    if (value === null || !(target || typeof field.choices === "function")) continue;
    const { as, choices } = field;
    const problems = await source.problems({ as, ...(choices ? { choices } : {}) }, target, { value, context, values });
    if (problems.length > 0) throw new Refusal("choice");
  }
}
