import { randomUUID } from "node:crypto";
import type { Jobs } from "framewright/plugins/jobs";
import { type Address, namedAddress, oneLine, plainAddress, written } from "./addresses.ts";
import type { Composed } from "./compose.ts";
import type { Delivery, KeptMail, Mail, Mailer, MailLook } from "./contract.ts";
import { errors } from "./errors.ts";
import { checkedFiles, restoredFile, type StoredFile, storedFile } from "./files.ts";
import type { CheckedMail, MailTransport } from "./smtp.ts";

const JOB_KIND = "mail";
const MAX_KEPT_MAILS = 100;
/** What errors call the addresses of a mail. */
const [RECIPIENT, SENDER, REPLY_TO] = [
  "the recipient of a mail",
  "the sender of a mail",
  "the reply address of a mail",
];

interface Parts {
  jobs: Jobs;
  /** As whom a mail speaks. */
  look(delivery: Delivery): Promise<ComposedLook>;
  compose(page: Delivery, look: MailLook): Composed;
  from: Address;
  /** Undefined without SMTP_ADDRESS. */
  transport: MailTransport | undefined;
  /** Without a transport: keep mails in memory rather than fail. */
  keepsMails: boolean;
  /** Those that are stored, the last ones. */
  kept: KeptMail[];
}
/** A look after the taps; `isOwn`: its name is another than the application's. */
export interface ComposedLook extends MailLook {
  readonly isOwn: boolean;
}
/** The payload of a job. */
interface MailPayload extends Omit<Mail, "attachments"> {
  messageId: string;
  decoy?: boolean;
  files?: readonly StoredFile[];
}
/** A mail of a job, or one that is sent at once. */
type SentMail = Mail & Partial<Pick<MailPayload, "messageId" | "decoy">>;

export function mailerService({ jobs, look, compose, from, transport, keepsMails, kept }: Parts): Mailer {
  let count = 0;

  const keep = ({ from: sender, ...rest }: CheckedMail): void => {
    const { to, subject, text, html, replyTo, attachments } = rest;
    const mail = { id: ++count, at: new Date(), to, from: written(sender), subject, text };
    const more = { ...(html === undefined ? {} : { html }), ...(replyTo ? { replyTo: written(replyTo) } : {}) };
    kept.push({ ...mail, ...more, ...(attachments.length > 0 ? { attachments } : {}) });
    if (kept.length > MAX_KEPT_MAILS) kept.shift();
  };
  const send = async (mail: SentMail): Promise<void> => {
    const checked = checkedMail(mail, from);
    if (mail.decoy) await transport?.discard(checked);
    else if (transport) await transport.send(checked);
    else if (keepsMails) keep(checked);
    else throw errors.FW_MAIL_SMTP();
  };

  jobs.define<MailPayload>(JOB_KIND, ({ files = [], ...mail }) =>
    send({ ...mail, attachments: files.map(restoredFile) }),
  );
  return {
    kept,
    send,
    async deliver(delivery) {
      const { transaction, decoy } = delivery;
      const subject = oneLine(delivery.subject);
      const address = plainAddress(delivery.to, RECIPIENT);
      const own = addressesOf(delivery);
      const files = checkedFiles(delivery.attachments).map(storedFile);
      const shown = await look(delivery);
      const { html, text } = compose({ ...delivery, subject }, shown);
      const messageId = `<${randomUUID()}@${from.address.split("@")[1]}>`; // the same at each attempt, so that mailboxes can drop duplicates
      const body = { text, ...(html === undefined ? {} : { html }), ...(decoy ? { decoy } : {}) };
      const sender = shown.isOwn ? { from: written({ ...from, name: shown.name }) } : {};
      const mail = {
        to: address,
        ...sender,
        ...own,
        subject,
        ...body,
        messageId,
        ...(files.length > 0 ? { files } : {}),
      };
      await jobs.enqueue(JOB_KIND, mail, transaction ? { transaction } : {});
    },
  };
}

/** The sender and the address for answers that a delivery names. @throws FW_MAIL_ADDRESS */
function addressesOf({ from, replyTo }: Delivery): Pick<Mail, "from" | "replyTo"> {
  return {
    ...(from === undefined ? {} : { from: written(namedAddress(from, SENDER)) }),
    ...(replyTo === undefined ? {} : { replyTo: written(namedAddress(replyTo, REPLY_TO)) }),
  };
}

/** @throws FW_MAIL_ADDRESS, FW_MAIL_FILE */
function checkedMail(mail: SentMail, from: Address): CheckedMail {
  return {
    to: plainAddress(mail.to, RECIPIENT),
    from: mail.from === undefined ? from : namedAddress(mail.from, SENDER),
    replyTo: mail.replyTo === undefined ? undefined : namedAddress(mail.replyTo, REPLY_TO),
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    attachments: checkedFiles(mail.attachments),
  };
}
