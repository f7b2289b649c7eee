import type { Transaction } from "framewright/plugins/database";

export interface Mail {
  to: string;
  subject: string;
  html?: string;
  text: string;
  /** `no-reply@shop.example`, or with a name: `The Shop <no-reply@shop.example>`. */
  from?: string;
  replyTo?: string;
}
export interface KeptMail extends Mail {
  id: number;
  at: Date;
}
export interface Delivery {
  to: string;
  /** Views without ending, tried in order: `<name>.liquid` is the HTML body, `<name>_text.liquid` the text. */
  names: readonly string[];
  subject: string;
  locals: Record<string, unknown>;
  /** The mail is sent when this commits. */
  transaction?: Transaction;
  /** Nobody gets it: it takes the work of a mail, so that the work does not tell whether there was one. */
  decoy?: boolean;
}
/** The slot's service. */
export interface Mailer {
  /** Renders the templates and hands the mail to the jobs slot; returns when it is stored. @throws FW_MAIL_ADDRESS, FW_VIEW_MISSING */
  deliver(delivery: Delivery): Promise<void>;
  /** Sends now, or keeps the mail in development and test without SMTP_ADDRESS. @throws FW_MAIL_ADDRESS, FW_MAIL_SMTP */
  send(mail: Mail): Promise<void>;
  /** What was kept instead of sent: the last 100, the oldest first. */
  readonly kept: readonly KeptMail[];
}
