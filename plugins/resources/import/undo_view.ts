import { html } from "framewright/host";
import { progressOf } from "../background/progress.ts";
import { isOpen, type RunRow } from "../background/run.ts";
import { details } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import { numberText } from "../registration/resource_texts.ts";
import { noCounts } from "./content.ts";

/** What the page of an import shows of its undoing. */
export function undoView(controller: ResourceController, run: RunRow) {
  const { counts = noCounts, problems, reasons } = controller.resources.background.sealer.problems(run);
  const item = (name: string, count: number) => ({
    ...{ name, label: controller.t(`resource.import.undo.${name}`), value: html`${numberText(controller, count)}` },
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
