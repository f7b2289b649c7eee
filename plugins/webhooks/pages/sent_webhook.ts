import type { BaseController } from "framewright/host";
import { type TargetRules, targetOf } from "framewright/host/outbound";
import type { Webhook, WebhookValues } from "../contract.ts";

const MAX_DESCRIPTION = 255;
const MAX_EVENTS = 200;

/** Fields by what is wrong with them. */
export type Problems = Partial<Record<"url" | "description" | "events", string>>;
/** What a form or a program has sent. */
export interface SentWebhook {
  readonly values: WebhookValues;
  readonly problems: Problems;
}

/** Reads the fields; what was not sent is that of `stored`. `offered`: the events that the person may choose. */
export function sentWebhook(
  controller: BaseController,
  offered: ReadonlySet<string>,
  rules: TargetRules,
  stored?: Webhook,
): SentWebhook {
  const { body } = controller.request;
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(`webhooks.problems.${key}`, vars);
  const problems: Problems = {};
  const textIn = (name: "url" | "description"): string => {
    const given = body.has(name) ? body.get(name) : stored?.[name];
    if (given === undefined || given === null) return "";
    if (typeof given !== "string") problems[name] = t("text");
    return typeof given === "string" ? given.replaceAll("\0", "").trim() : "";
  };
  const [url, description] = [textIn("url"), textIn("description")];
  const events = body.has("events") ? eventsIn(body.get("events")) : (stored?.events ?? []);
  const target = targetOf(url, rules);
  if (url === "") problems.url ??= t("url_missing");
  else if (typeof target === "string") problems.url = t(target);
  if (description.length > MAX_DESCRIPTION || /\p{Cc}/u.test(description))
    problems.description = t("description", { count: MAX_DESCRIPTION });
  const unknown = events?.find((name) => !offered.has(name) && !stored?.events.includes(name));
  if (!events || events.length > MAX_EVENTS) problems.events = t("events_shape");
  else if (events.length === 0) problems.events = t("events_missing");
  else if (unknown !== undefined) problems.events = t("events_unknown", { name: unknown.slice(0, 60) });
  return { values: { url, description: description || null, events: events ?? [] }, problems };
}

/** The names that were sent, each once; undefined for something else. */
function eventsIn(given: unknown): string[] | undefined {
  const list = Array.isArray(given) ? given : [given];
  const names = list.filter((one): one is string => typeof one === "string");
  if (names.length < list.length) return undefined;
  return [...new Set(names.filter((name) => name !== ""))];
}
