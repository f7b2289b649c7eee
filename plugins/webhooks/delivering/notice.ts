import { publicOrigin, type Route, withOrigin, zoneOf } from "framewright/host";
import type { Service } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";
import type { Mailer } from "framewright/plugins/mailer";
import type { Webhook } from "../contract.ts";
import type { People } from "./people.ts";

export interface NoticeParts {
  readonly people: People;
  readonly routeIn: (portal: string) => Route | undefined;
  /** The path of the list below the mount. */
  readonly path: string;
  readonly notifications: Service<"notifications"> | undefined;
  readonly mailer: Mailer | undefined;
}

const nothing = async (): Promise<void> => undefined;

/** Finds the owner of a webhook that is about to be disabled; returns what notifies them, with a transaction. */
export async function announceDisabled(
  { people, routeIn, path, notifications, mailer }: NoticeParts,
  webhook: Webhook,
) {
  const route = routeIn(webhook.portal);
  const entered = route && (await withOrigin({}, () => people.enter(webhook, route, { path, params: {} })));
  if (!entered) return nothing;
  const { controller, account } = entered;
  const { request, currentScopedEntity: tenant } = controller;
  const { application } = request;
  const { locale: own, time_zone, email } = account as { locale?: unknown; time_zone?: unknown; email?: unknown };
  const locale = application.languages.find(own) ?? request.locale;
  const text = (key: string) => application.texts?.t(`webhooks.${key}`, {}, locale) ?? key;
  const { host } = new URL(webhook.url); // what follows it may be a secret
  const title = text("disabled_notice.title");
  const reason = text(`disabled.${webhook.reason}`);
  const url = `${webhook.place.mountPath}${path}/${webhook.id}`;
  return async (transaction: Transaction): Promise<void> => {
    const content = { title, body: `${host}\n${reason}`, url, kind: "warning" } as const;
    await notifications?.send(account as never, content, { transaction, tenant });
    if (!mailer || typeof email !== "string") return;
    await mailer.deliver({
      to: email,
      names: ["webhooks/mailer/disabled"],
      subject: title,
      locale,
      timeZone: zoneOf(time_zone),
      tenant,
      locals: { receiver: host, reason, url: `${publicOrigin(request)}${url}` },
      transaction,
    });
  };
}
