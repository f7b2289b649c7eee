import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { assets } from "framewright/plugins/assets";
import { database } from "framewright/plugins/database";
import { i18n } from "framewright/plugins/i18n";
import { jobs } from "framewright/plugins/jobs";
import { layout } from "framewright/plugins/layout";
import { type MailerOptions, mailer } from "framewright/plugins/mailer";
import { sessions } from "framewright/plugins/sessions";
import { views } from "framewright/plugins/views";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { addFiles, openApp, type TestApp, writeApp } from "../../support/apps.ts";
import { jobsMigration } from "../jobs/support.ts";

export const mailFiles: Record<string, string> = {
  "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes(() => undefined);`,
  "db/migrate/20260101000000_create_framewright_jobs.ts": jobsMigration,
  "app/views/mails/hello.liquid": `<h1>Hello {{ name }}</h1><p>Nearly there.</p><p><a class="button" href="{{ link }}">Confirm</a></p><p>Or <a href="{{ link }}">this link</a>.</p>`,
  "app/views/mails/hello_text.liquid": `Hello {{ name }},\n{{ name | upcase }}\n\nconfirm: {{ link }}.\n`,
  "app/views/mails/plain_text.liquid": `Only text for {{ name }}\n`,
};
export const link = "https://shop.example/users/verify?key=marked-key&x=1";

export interface MailApp extends TestApp {
  /** Delivers the mail "hello". */
  hello(more?: { to?: string; subject?: string; locals?: Record<string, unknown>; names?: string[] }): Promise<void>;
  drain(): Promise<number>;
}

/** An application with a mailer; jobs are done by `drain` alone. */
export async function openMails(
  values: Record<string, string> = {},
  options: MailerOptions = {},
  files: Record<string, string> = {},
): Promise<MailApp> {
  const root = writeApp({});
  addFiles(root, { ...mailFiles, ...files });
  const plugins = [database(), i18n(), sessions(), views(), assets(), layout(), jobs({ run: false }), mailer(options)];
  const app = await openApp(root, { values, plugins });
  await app.application.kernel.service("database").migrations.up();
  return {
    ...app,
    hello: ({ to = "ada@example.com", subject = "Hello", locals = {}, names = ["mails/hello"] } = {}) =>
      app.application.kernel
        .service("mailer")
        .deliver({ to, subject, names, locals: { name: "Ada", link, ...locals } }),
    drain: () => app.application.kernel.service("jobs").drain(),
  };
}

export interface Received {
  from: string;
  to: string[];
  raw: string;
  user: string | undefined;
  secure: boolean;
}
export interface MailServer {
  port: number;
  received: Received[];
  close(): Promise<void>;
}

/** A real SMTP server on a port of its own. */
export async function openServer(options: SMTPServerOptions = {}, port = 0, host = "127.0.0.1"): Promise<MailServer> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    onAuth: ({ username, password }, _, done) =>
      password === "right" ? done(null, { user: username! }) : done(new Error("wrong password")),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString("utf8"),
          user: session.user as string | undefined,
          secure: session.secure,
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => undefined); // a client that goes away is what some stories are about
  server.listen(port, host);
  await once(server.server, "listening");
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: (server.server.address() as AddressInfo).port, received, close };
}

export const smtpTo = ({ port }: { port: number }, more: Record<string, string> = {}): Record<string, string> => ({
  SMTP_ADDRESS: "127.0.0.1",
  SMTP_PORT: String(port),
  ...more,
});

/** The decoded parts of a message, by their type. */
export function partsOf(raw: string): Record<string, string> {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1];
  if (!boundary) throw new Error(`no parts in ${raw}`);
  const parts = raw.split(`--${boundary}`).slice(1, -1);
  return Object.fromEntries(parts.map((part) => [/content-type: ([\w/]+)/i.exec(part)![1]!, decoded(part)]));
}
function decoded(part: string): string {
  const [head = "", ...rest] = part.trimStart().split("\r\n\r\n");
  const body = rest.join("\r\n\r\n");
  if (/base64/i.test(head)) return Buffer.from(body, "base64").toString("utf8");
  if (!/quoted-printable/i.test(head)) return body;
  const bytes = body
    .replaceAll("=\r\n", "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
export const headersOf = (raw: string): string => raw.split("\r\n\r\n", 1)[0]!.replaceAll(/\r\n[ \t]+/g, " ");
