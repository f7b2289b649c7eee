import { type Application, humanize } from "framewright/host";
import { BaseModel } from "framewright/plugins/database";
import type { BackgroundRunEvent } from "framewright/plugins/resources";
import { ownersOf, rowOf } from "./content.ts";
import type { NotificationStore } from "./store.ts";

/** Notifies the person who started a run of its end; who cancelled it knows. */
export async function notifyOfRun(
  host: Application,
  store: NotificationStore,
  { run, url, account, tenant }: BackgroundRunEvent,
): Promise<void> {
  if (!(account instanceof BaseModel) || run.state === "cancelled") return;
  const { registry } = host.kernel.service("resources");
  const action = registry.of(run.portal).get(run.resource)?.definition.actions.get(run.action);
  const locale = host.languages.find((account as { locale?: unknown }).locale);
  const vars = {
    action: action?.label ?? ownTitle(host, run.action, locale) ?? humanize(run.action),
    done: run.done,
    refused: run.refused,
    failed: run.failed,
  };
  const text = (key: string) => host.texts?.t(`notifications.${key}`, vars, locale) ?? key;
  const isDone = run.state === "done";
  const hasProblems = run.refused + run.failed > 0;
  const counts = isExport(run.action) && isDone ? "run_file" : hasProblems ? "run_counts" : "run_count";
  const row = rowOf({
    title: text(isDone ? "run_done" : "run_failed"),
    body: text(counts),
    kind: isDone ? (hasProblems ? "warning" : "success") : "danger",
    url,
  });
  await store.insert(ownersOf(account), row, tenant ?? null);
}

const isExport = (action: string): boolean => action.startsWith("export.");

/** What the framework's own runs are called. */
const titles: Readonly<Record<string, string>> = {
  import: "resource.import.title",
  "import.undo": "resource.import.undo.title",
};

function ownTitle({ texts }: Application, action: string, locale: string | undefined): string | undefined {
  const key = isExport(action) ? "resource.export.title" : titles[action];
  return key === undefined ? undefined : texts?.t(key, {}, locale);
}
