import { html } from "framewright/host";
import { isOpen, progressOf, type RunRow, runsOf } from "framewright/plugins/background_runs";
import { details } from "framewright/plugins/fields";
import type { ResourceController } from "framewright/plugins/resources";
import { numberText } from "framewright/plugins/resources/toolkit";
import { noCounts } from "./content.ts";

/** What the page of an import shows of its undoing. */
export function undoView(controller: ResourceController, run: RunRow) {
  const { counts = noCounts, problems, reasons } = runsOf(controller).sealer.problems(run);
  const item = (name: string, count: number) => ({
    name,
    label: controller.t(`resource.import.undo.${name}`),
    value: html`${numberText(controller, count)}`,
  });
  const items = [item("removed", counts.created), item("restored", counts.updated), item("kept", run.failed)];
  const ended = Object.entries(reasons).flatMap(([kind, count]) =>
    count > 0 ? `${controller.t(`resource.background.reasons.${kind}`)}: ${numberText(controller, count)}` : [],
  );
  const left = problems.map(({ text }) => text);
  const more = run.failed - problems.filter(({ record }) => record !== null).length;
  return {
    status: controller.t(`resource.import.undo.states.${run.state}`),
    is_open: isOpen(run),
    progress: isOpen(run) ? progressOf(controller, run) : undefined,
    details: details({ items }),
    left: [...left, ...(more > 0 ? [controller.t("resource.import.undo.more", { count: more })] : []), ...ended],
  };
}
