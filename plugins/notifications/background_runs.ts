import { type Application, humanize, localeOf } from "framewright/host";
import { BaseModel } from "framewright/plugins/database";
import type { BackgroundRunEvent, Registration } from "framewright/plugins/resources";
import { ownersOf, rowOf } from "./content.ts";
import type { NotificationStore } from "./store.ts";

/** Notifies the person who started a run of its end; the one who cancelled it knows. */
export async function notifyOfRun(
  host: Application,
  store: NotificationStore,
  { run, url, account, tenant }: BackgroundRunEvent,
): Promise<void> {
  if (!(account instanceof BaseModel) || run.state === "cancelled") return;
  const { registry } = host.kernel.service("resources");
  const registration = registry.of(run.portal).get(run.resource);
  const locale = host.languages.find((account as { locale?: unknown }).locale);
  const own = registration && ownLabel(host, `models.${registration.key}.actions.${run.action}`, locale);
  const vars = {
    action: own || actionTitle(host, run.action, registration?.definition.actions.get(run.action)?.label, locale),
    records: registration ? recordsText(host, registration, run.done, locale) : String(run.done),
  };
  const text = (key: string, more = {}) => host.texts?.t(`notifications.${key}`, { ...vars, ...more }, locale) ?? key;
  const isDone = run.state === "done";
  const hasProblems = run.refused + run.failed > 0;
  const problems = (["refused", "failed"] as const).flatMap((kind) =>
    run[kind] > 0 ? text(kind === "failed" ? "run_failed_count" : "run_refused", { count: run[kind] }) : [],
  );
  const file = isExport(run.action) && isDone ? text("run_file") : undefined;
  const row = rowOf({
    title: text(isDone ? "run_done" : "run_failed"),
    body: hasProblems ? problems.join(" ") : (file ?? (isDone ? undefined : text("run_count"))),
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

const ownLabel = ({ texts }: Application, key: string, locale: string | undefined): string =>
  texts?.has(key, locale) ? texts.t(key, {}, locale) : "";

/** What an action is called: by its definition, as one of the framework's own, else by its key. */
function actionTitle({ texts }: Application, action: string, label: string | undefined, locale: string | undefined) {
  const key = isExport(action) ? "resource.export.title" : (titles[action] ?? `resource.actions.${action}`);
  return label ?? (texts?.has(key, locale) ? texts.t(key, {}, locale) : humanize(action));
}

/** How many records there were, as their list shows it. */
function recordsText({ texts }: Application, of: Registration, count: number, locale: string | undefined): string {
  const total = localeOf(locale).numbers.grouped(count);
  const own = `models.${of.key}.count`;
  if (texts?.has(own, locale, count)) return texts.t(own, { count, total }, locale);
  const form = count === 1 ? "one" : "many";
  const key = `models.${of.key}.${form}`;
  const label = texts?.has(key, locale) ? texts.t(key, {}, locale) : of.labels[form];
  return `${total} ${localeOf(locale).inSentence(label)}`;
}
