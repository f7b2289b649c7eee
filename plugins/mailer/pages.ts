import {
  BaseController,
  html,
  notFound,
  Reply,
  type RequestContext,
  raw,
  type SafeHtml,
  toHtml,
} from "framewright/host";
import type { KeptMail } from "./contract.ts";

/** Mails are shown as their own page inside a frame: their styles and nothing else, and links lead out of it. */
const FRAME_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; frame-ancestors 'self'; sandbox allow-popups allow-top-navigation-by-user-activation";
const LOOPBACK = /^(?:::ffff:)?127(?:\.\d+){3}$|^::1$/;

/** On this machine, and not through a proxy that stands on it. */
export function isLocal(request: RequestContext): boolean {
  const forwarded = request.header("x-forwarded-for") ?? request.header("forwarded");
  return forwarded === undefined && LOOPBACK.test(request.raw.socket.remoteAddress ?? "");
}

/** The mails that were kept instead of sent, for whoever develops; anybody else finds nothing here. */
export class MailsController extends BaseController {
  static readonly access: string = "local";
  static override readonly guests = "admit" as const; // whoever is on this machine
  static override beforeActions = ["refuseOthers"];

  refuseOthers(): void {
    if (!isLocal(this.request)) throw notFound();
  }
  get kept(): readonly KeptMail[] {
    return this.request.kernel.service("mailer").kept;
  }
  /** @throws 404 */
  find(): KeptMail {
    const id = this.request.routeParams.id;
    const found = this.kept.find((mail) => String(mail.id) === id);
    if (!found) throw notFound();
    return found;
  }

  index(): Reply {
    const mails = this.kept.toReversed();
    if (this.request.format === "json") return this.json(mails.map(shown));
    const listed = mails.map(({ id, to, subject, at }) => ({ to, subject, at, url: `/_fw/mails/${id}` }));
    const title = this.t("mailer.pages.title");
    return this.render("mailer/mails/index", { locals: { title, mails: listed } });
  }
  show(): Reply {
    const mail = this.find();
    if (this.request.format === "json") return this.json(shown(mail));
    const { id, to, from, subject, at, text } = mail;
    const frame = mail.html === undefined ? undefined : `/_fw/mails/${id}/html`;
    const locals = { title: subject, mail: { to, from, at, frame, text: withLinks(text) } };
    return this.render("mailer/mails/show", { locals });
  }
  body(): Reply {
    const { html: body = "" } = this.find();
    const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": FRAME_POLICY };
    return this.answer(new Reply(200, leadingOut(body), headers));
  }
}

/** Links of a mail open in the window around its frame. */
function leadingOut(body: string): string {
  const base = '<base target="_top">';
  return /<head\b/i.test(body) ? body.replace(/<head\b[^>]*>/i, (head) => head + base) : base + body;
}

const shown = ({ id, to, from, subject, text, html: body, at }: KeptMail) => ({
  id,
  to,
  from,
  subject,
  text,
  html: body,
  at: at.toISOString(),
});

/** Escapes a text, and makes its web addresses clickable. */
export function withLinks(text: string): SafeHtml {
  const parts = text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/);
  return raw(
    parts.map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>`.html : toHtml(part))).join(""),
  );
}
