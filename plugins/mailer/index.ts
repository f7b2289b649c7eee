import type { RouteSet } from "framewright/host";
import { AsyncSeriesHook, checkOptions, definePlugin, option, type Plugin, type Settings } from "framewright/kernel";
import { namedAddress } from "./addresses.ts";
import { composer } from "./compose.ts";
import type { Delivery, KeptMail, MailerHooks, MailLook } from "./contract.ts";
import { MailsController } from "./pages.ts";
import { keptMailSource } from "./personal_data.ts";
import { type ComposedLook, mailerService } from "./service.ts";
import { smtpTransport } from "./smtp.ts";

export type { Delivery, KeptMail, Mail, Mailer, MailerHooks, MailLook } from "./contract.ts";

/** Options of `mailer()`. */
export interface MailerOptions {
  /** The sender, as in `The Shop <no-reply@shop.example>`; MAIL_FROM, else no-reply@ the host of APP_URL. */
  from?: string;
}

/** Mails from templates, sent by SMTP in the background; stored in memory and shown in development. */
export function mailer(options: MailerOptions = {}): Plugin {
  checkOptions("mailer", options, { from: option.string });
  return definePlugin({
    name: "mailer",
    directory: import.meta.dirname,
    requires: ["host", "jobs", "views", "i18n"],
    provides: "mailer",
    hooks: (): MailerHooks => ({ compose: new AsyncSeriesHook(["look", "delivery"]) }),
    apply({ services, hooks, settings, onClose }) {
      const { host, jobs, views, i18n } = services;
      const from = namedAddress(options.from ?? defaultSender(settings), "the sender of mails (MAIL_FROM)");
      const transport = settings.smtp && smtpTransport(settings.smtp);
      onClose(() => transport?.close());
      const isProduction = settings.env === "production";
      const isUndeliverable = isProduction && !transport;
      hooks.host.listening.tap("mailer", () => {
        if (isUndeliverable) host.log.warn(SMTP_MISSING);
      });
      hooks.host.examine.tapPromise("mailer", async (findings) => {
        const detail = isUndeliverable ? SMTP_MISSING : transport ? "by SMTP" : "kept at /_fw/mails";
        findings.push({ what: "mails", ok: !isUndeliverable, detail });
      });
      if (!isProduction) hooks.kernel.drawRoutes.tap("mailer", (routes) => drawMailRoutes(routes));
      const look = async (delivery: Delivery): Promise<ComposedLook> => {
        const name = i18n.t("application.name", undefined, delivery.locale);
        const composed: MailLook = { name };
        await hooks.mailer.compose.promise(composed, delivery);
        return { ...composed, isOwn: composed.name !== name };
      };
      const kept: KeptMail[] = [];
      hooks.personal_data?.sources.tap("mailer", (sources) => sources.add(keptMailSource(kept)));
      const composed = { look, compose: composer(views, i18n, settings), from };
      return mailerService({ jobs, ...composed, transport, keepsMails: !isProduction, kept });
    },
  });
}

const SMTP_MISSING = "SMTP_ADDRESS is not set: every mail will fail, and wait in fw jobs.";

const defaultSender = ({ values, appUrl }: Settings): string =>
  values.MAIL_FROM || `no-reply@${appUrl?.hostname.replace(/^\[.*\]$/, "localhost") ?? "localhost"}`;

function drawMailRoutes(routes: RouteSet): void {
  const controller = MailsController;
  routes.get("_fw/mails", { controller, action: "index", layout: "basic" });
  routes.get("_fw/mails/:id", { controller, action: "show", layout: "basic" });
  routes.get("_fw/mails/:id/html", { controller, action: "body" });
  routes.get("_fw/mails/:id/attachments/:at", { controller, action: "file" });
}
