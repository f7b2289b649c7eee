import type { FileContent, TimeZone } from "framewright/host";
import type { AsyncSeriesHook } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";

declare module "framewright/kernel" {
  interface Slots {
    mailer: { service: Mailer; hooks: MailerHooks };
  }
}

/** A mail as it is sent. */
export interface Mail {
  to: string;
  subject: string;
  html?: string;
  text: string;
  /** `no-reply@shop.example`, or with a name: `The Shop <no-reply@shop.example>`. */
  from?: string;
  replyTo?: string;
  /** Files that come with it, of 5 MB together at most. Without a type, a file has that of the end of its name. */
  attachments?: readonly FileContent[];
}
/** A mail that was stored instead of sent. */
export interface KeptMail extends Mail {
  id: number;
  at: Date;
}
/** A mail built from templates. */
export interface Delivery {
  to: string;
  /** View names in order of preference: `<name>.liquid` is the HTML body, `<name>_text.liquid` the text. */
  names: readonly string[];
  subject: string;
  /** The sender in place of `MAIL_FROM`, or of it with the tenant's name: `Billing <billing@shop.example>`. */
  from?: string;
  /** Where answers go, as to the person who wrote in a contact form: an address, or one with a name. */
  replyTo?: string;
  /** Files that come with it, of 5 MB together at most; the job stores them. */
  attachments?: readonly FileContent[];
  locals: Record<string, unknown>;
  /** The language of the person that it is for; the application's own without it. */
  locale?: string | undefined;
  /** The zone of the person, for `{{ at | time_text }}` and `{{ at | time }}`; the application's (`TIME_ZONE`) without it. */
  timeZone?: TimeZone | undefined;
  /** The tenant that it is about: it speaks in that tenant's name where the tenant has one of its own. */
  tenant?: object | undefined;
  /** The mail is sent after this commits. */
  transaction?: Transaction;
  /** Does all the work of a mail without sending it, so that timing does not reveal whether one was sent. */
  decoy?: boolean;
}
/** As whom a mail speaks. */
export interface MailLook {
  /** The name at its top and its foot, and beside the sender's address; `application` of its templates. */
  name: string;
  /** The colour of its buttons, on which white can be read: `#7a1f5c`. The standard one without it. */
  accent?: string | undefined;
}
/** The hooks of the slot `mailer`. */
export interface MailerHooks {
  /**
   * A mail is about to be rendered: a tap changes the look in place. What it reads from the database belongs to the transaction of
   * the delivery, where that has one. What it throws is thrown by `deliver`.
   */
  compose: AsyncSeriesHook<[look: MailLook, delivery: Readonly<Delivery>]>;
}
/**
 * The slot's service. An address is one plain recipient and a subject one line: nothing in them becomes a second recipient
 * or a header. `framewright/conformance/mailer` tests a filler.
 */
export interface Mailer {
  /** Renders the templates and enqueues the mail; resolves once the job is stored. @throws FW_MAIL_ADDRESS, FW_MAIL_FILE, FW_VIEW_MISSING */
  deliver(delivery: Delivery): Promise<void>;
  /** Sends at once, with both of its bodies; in development and test without SMTP_ADDRESS, keeps the mail in memory. @throws FW_MAIL_ADDRESS, FW_MAIL_FILE, FW_MAIL_SMTP */
  send(mail: Mail): Promise<void>;
  /** The last 100 mails that were stored instead of sent, the oldest first. */
  readonly kept: readonly KeptMail[];
}
