import type { RouteSet } from "framewright/host";
import { checkOptions, definePlugin, option, type Plugin, type Settings } from "framewright/kernel";
import { namedAddress } from "./addresses.ts";
import { composer } from "./compose.ts";
import type { Mailer } from "./contract.ts";
import { MailsController } from "./pages.ts";
import { mailerService } from "./service.ts";
import { smtpPost } from "./smtp.ts";

export type { Delivery, KeptMail, Mail, Mailer } from "./contract.ts";

declare module "framewright/kernel" {
  interface Slots {
    mailer: { service: Mailer };
  }
}

export interface MailerOptions {
  /** Who mails are from, as in `The Shop <no-reply@shop.example>`; MAIL_FROM, else no-reply@ the host of APP_URL. */
  from?: string;
}

/** Mails from templates, sent by SMTP in the background; kept and shown in development. */
export function mailer(options: MailerOptions = {}): Plugin {
  checkOptions("mailer", options, { from: option.string });
  return definePlugin({
    name: "mailer",
    requires: ["host", "jobs", "views", "i18n"],
    provides: "mailer",
    apply({ services, hooks, settings, onClose }) {
      const { host, jobs, views, i18n } = services;
      views.addPluginViews(import.meta.dirname);
      i18n.addPluginTexts(import.meta.dirname);
      const from = namedAddress(options.from ?? senderOf(settings), "the sender of mails (MAIL_FROM)");
      const post = settings.smtp && smtpPost(settings.smtp);
      onClose(() => post?.close());
      const isProduction = settings.env === "production";
      const isMute = isProduction && !post;
      hooks.host?.listening.tap("mailer", () => {
        if (isMute) host.log.warn(MUTE);
      });
      hooks.host?.examine.tapPromise("mailer", async (findings) => {
        const detail = isMute ? MUTE : post ? "by SMTP" : "kept at /_fw/mails";
        findings.push({ what: "mails", ok: !isMute, detail });
      });
      if (!isProduction) hooks.kernel.drawRoutes.tap("mailer", (routes) => drawPages(routes as RouteSet));
      return mailerService({ jobs, compose: composer(views, i18n, settings), from, post, keeps: !isProduction });
    },
  });
}

const MUTE = "SMTP_ADDRESS is not set: every mail will fail, and stay in fw jobs.";

const senderOf = ({ values, appUrl }: Settings): string =>
  values.MAIL_FROM || `no-reply@${appUrl?.hostname.replace(/^\[.*\]$/, "localhost") ?? "localhost"}`;

function drawPages(routes: RouteSet): void {
  const controller = MailsController;
  routes.get("_fw/mails", { controller, action: "index", layout: "basic" });
  routes.get("_fw/mails/:id", { controller, action: "show", layout: "basic" });
  routes.get("_fw/mails/:id/html", { controller, action: "body" });
}
