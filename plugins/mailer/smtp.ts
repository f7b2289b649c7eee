import type { Settings } from "framewright/kernel";
import type { Transporter } from "nodemailer";
import type { Address } from "./addresses.ts";

/** A mail with every address checked. */
export interface Letter {
  from: Address;
  to: string;
  replyTo: Address | undefined;
  subject: string;
  text: string;
  html: string | undefined;
  messageId: string | undefined;
}
export interface Post {
  send(letter: Letter): Promise<void>;
  /** Writes a letter as `send` does, and throws it away. */
  rehearse(letter: Letter): Promise<void>;
  close(): void;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1)$/i;

/**
 * Sends by SMTP: TLS on port 465, else STARTTLS when it is offered. To any other machine a password goes encrypted or
 * not at all, and its certificate must hold.
 */
export function smtpPost({ address, port, user, password }: NonNullable<Settings["smtp"]>): Post {
  const isHere = LOOPBACK.test(address);
  let transporter: Transporter | undefined;
  async function open(): Promise<Transporter> {
    const { createTransport } = await import("nodemailer");
    transporter ??= createTransport({
      pool: true,
      maxConnections: 3,
      host: address,
      port,
      secure: port === 465,
      requireTLS: port !== 465 && user !== undefined && !isHere,
      ...(user === undefined ? {} : { auth: { user, pass: password ?? "" } }),
      tls: { rejectUnauthorized: !isHere },
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return transporter;
  }
  return {
    async send(letter) {
      await (await open()).sendMail(messageOf(letter));
    },
    async rehearse(letter) {
      const { createTransport } = await import("nodemailer");
      await createTransport({ streamTransport: true, buffer: true }).sendMail(messageOf(letter));
    },
    close: () => transporter?.close(),
  };
}

const messageOf = ({ from, to, replyTo, subject, text, html, messageId }: Letter) => ({
  from,
  to: { name: "", address: to },
  envelope: { from: from.address, to: [to] }, // nobody else, whatever the headers say
  subject,
  text,
  ...(html === undefined ? {} : { html }),
  ...(replyTo === undefined ? {} : { replyTo }),
  ...(messageId === undefined ? {} : { messageId }),
  headers: { "Auto-Submitted": "auto-generated" },
});
