import {
  BaseController,
  fileReply,
  html,
  isLocal,
  notFound,
  Reply,
  raw,
  type SafeHtml,
  toHtml,
} from "framewright/host";
import type { KeptMail } from "./contract.ts";

/** The policy of the frame that shows a mail: styles and images only, no scripts; links open in the window around it. */
const FRAME_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; frame-ancestors 'self'; sandbox allow-popups allow-top-navigation-by-user-activation";

/** Shows the mails that were stored instead of sent, to requests from this machine; 404 for others. */
export class MailsController extends BaseController {
  static readonly access: string = "local";
  static override readonly guests = "admit" as const; // refuseOthers limits it to this machine
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
    if (this.request.format === "json") return this.json(mails.map(mailJson));
    const listed = mails.map(({ id, to, subject, at }) => ({
      to,
      subject,
      at,
      url: `${this.request.settings.basePath}/_fw/mails/${id}`,
    }));
    const title = this.t("mailer.pages.title");
    return this.render("mailer/mails/index", { locals: { title, mails: listed } });
  }
  show(): Reply {
    const mail = this.find();
    if (this.request.format === "json") return this.json(mailJson(mail));
    const { id, to, from, replyTo, subject, at, text } = mail;
    const place = `${this.request.settings.basePath}/_fw/mails/${id}`;
    const frame = mail.html === undefined ? undefined : `${place}/html`;
    const files = mail.attachments?.map(({ filename }, index) => ({
      name: filename,
      url: `${place}/attachments/${index}`,
    }));
    const locals = { title: subject, mail: { to, from, reply_to: replyTo, at, frame, text: linkUrls(text), files } };
    return this.render("mailer/mails/show", { locals });
  }
  body(): Reply {
    const { html: body = "" } = this.find();
    const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": FRAME_POLICY };
    return this.answer(new Reply(200, withTopTarget(body), headers));
  }
  file(): Reply {
    const file = this.find().attachments?.[Number(this.request.routeParams.at)];
    if (!file) throw notFound();
    return this.answer(fileReply({ ...file, content: Buffer.from(file.content) }));
  }
}

/** Makes the links of a mail open in the window around its frame. */
function withTopTarget(body: string): string {
  const base = '<base target="_top">';
  return /<head\b/i.test(body) ? body.replace(/<head\b[^>]*>/i, (head) => head + base) : base + body;
}

const mailJson = ({ id, to, from, replyTo, subject, text, html: body, at, attachments }: KeptMail) => ({
  id,
  to,
  from,
  replyTo,
  subject,
  text,
  html: body,
  at: at.toISOString(),
  attachments: attachments?.map(({ filename, type, content }) => ({
    filename,
    type,
    size: Buffer.byteLength(content),
  })),
});

/** Escapes a text and makes its URLs links. */
export function linkUrls(text: string): SafeHtml {
  const parts = text.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/);
  return raw(
    parts.map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>`.html : toHtml(part))).join(""),
  );
}
