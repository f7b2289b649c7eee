import type { Settings } from "framewright/kernel";
import type { Transporter } from "nodemailer";
import type { Address } from "./addresses.ts";
import type { CheckedFile } from "./files.ts";

/** A mail whose addresses are checked. */
export interface CheckedMail {
  from: Address;
  to: string;
  replyTo: Address | undefined;
  subject: string;
  text: string;
  html: string | undefined;
  messageId: string | undefined;
  attachments: readonly CheckedFile[];
}
export interface MailTransport {
  send(mail: CheckedMail): Promise<void>;
  /** Generates the message like `send`, and discards it. */
  discard(mail: CheckedMail): Promise<void>;
  close(): void;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1)$/i;

/**
 * Sends by SMTP: TLS on port 465, else STARTTLS if offered. To another machine a password is only sent encrypted, and its
 * certificate must be valid.
 */
export function smtpTransport({ address, port, user, password }: NonNullable<Settings["smtp"]>): MailTransport {
  const isLoopback = LOOPBACK.test(address);
  let transporter: Transporter | undefined;
  async function connect(): Promise<Transporter> {
    const { createTransport } = await import("nodemailer");
    transporter ??= createTransport({
      pool: true,
      maxConnections: 3,
      host: address,
      port,
      secure: port === 465,
      requireTLS: port !== 465 && user !== undefined && !isLoopback,
      ...(user === undefined ? {} : { auth: { user, pass: password ?? "" } }),
      tls: { rejectUnauthorized: !isLoopback },
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return transporter;
  }
  return {
    async send(mail) {
      await (await connect()).sendMail(toMessage(mail));
    },
    async discard(mail) {
      const { createTransport } = await import("nodemailer");
      await createTransport({ streamTransport: true, buffer: true }).sendMail(toMessage(mail));
    },
    close: () => transporter?.close(),
  };
}

const toMessage = ({ from, to, replyTo, subject, text, html, messageId, attachments }: CheckedMail) => ({
  from,
  to: { name: "", address: to },
  envelope: { from: from.address, to: [to] }, // exactly these, whatever the headers contain
  subject,
  text,
  ...(html === undefined ? {} : { html }),
  ...(replyTo === undefined ? {} : { replyTo }),
  ...(messageId === undefined ? {} : { messageId }),
  attachments: attachments.map(({ filename, content, type }) => ({
    filename,
    content,
    contentDisposition: "attachment" as const,
    ...(type === undefined ? {} : { contentType: type }),
  })),
  headers: { "Auto-Submitted": "auto-generated" },
});
