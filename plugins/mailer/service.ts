import { randomUUID } from "node:crypto";
import type { Jobs } from "framewright/plugins/jobs";
import { type Address, namedAddress, oneLine, plainAddress } from "./addresses.ts";
import type { Composed } from "./compose.ts";
import type { Delivery, KeptMail, Mail, Mailer } from "./contract.ts";
import { errors } from "./errors.ts";
import type { Letter, Post } from "./smtp.ts";

const KIND = "mail";
const MOST = 100;

interface Parts {
  jobs: Jobs;
  compose(page: Pick<Delivery, "names" | "subject" | "locals">): Composed;
  from: Address;
  /** None without SMTP_ADDRESS. */
  post: Post | undefined;
  /** Without a post: keep mails, rather than fail. */
  keeps: boolean;
}
/** What a job of ours holds. */
interface Stored extends Mail {
  messageId: string;
  decoy?: boolean;
}

export function mailerService({ jobs, compose, from, post, keeps }: Parts): Mailer {
  const kept: KeptMail[] = [];
  let count = 0;

  const keep = ({ from: sender, ...letter }: Letter): void => {
    const { to, subject, text, html } = letter;
    const mail = { id: ++count, at: new Date(), to, from: sender.address, subject, text };
    kept.push(html === undefined ? mail : { ...mail, html });
    if (kept.length > MOST) kept.shift();
  };
  const send = async (mail: Mail & Partial<Stored>): Promise<void> => {
    const letter = letterOf(mail, from);
    if (mail.decoy) await post?.rehearse(letter);
    else if (post) await post.send(letter);
    else if (keeps) keep(letter);
    else throw errors.FW_MAIL_SMTP();
  };

  jobs.define<Stored>(KIND, (mail) => send(mail));
  return {
    kept,
    send,
    async deliver({ to, names, subject: given, locals, transaction, decoy }) {
      const subject = oneLine(given);
      const address = plainAddress(to, "the recipient of a mail");
      const { html, text } = compose({ names, subject, locals });
      const messageId = `<${randomUUID()}@${from.address.split("@")[1]}>`; // the same at each attempt: mailboxes drop doubles
      const body = { text, ...(html === undefined ? {} : { html }), ...(decoy ? { decoy } : {}) };
      const mail = { to: address, subject, ...body, messageId };
      await jobs.enqueue(KIND, mail, transaction ? { transaction } : {});
    },
  };
}

/** @throws FW_MAIL_ADDRESS */
function letterOf(mail: Mail & Partial<Stored>, from: Address): Letter {
  return {
    to: plainAddress(mail.to, "the recipient of a mail"),
    from: mail.from === undefined ? from : namedAddress(mail.from, "the sender of a mail"),
    replyTo: mail.replyTo === undefined ? undefined : namedAddress(mail.replyTo, "the reply address of a mail"),
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
  };
}
