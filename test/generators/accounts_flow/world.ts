import { setTimeout as sleep } from "node:timers/promises";
import { type MailServer, openServer, partsOf } from "../../plugins/mailer/support.ts";
import { exitOf, freePort } from "../../support/processes.ts";
import { Client } from "../../testing/client.ts";
import { runIn, startAt } from "../production.ts";
import type { Ran } from "../support.ts";
import { PARTNER_KEY } from "./application.ts";

/** Who uses the API; made by the command. */
export const robot = { login: "robot@example.test", password: "correct horse battery" };

/** A generated application as `fw start` serves it in production, with a mail server that asks for a password. */
export interface World {
  readonly url: string;
  readonly mails: MailServer;
  client(): Client;
  /** The mails that were looked for, as text. */
  readonly texts: readonly string[];
  /** The link in the last mail to somebody whose subject says this: the path, of a link to this application. */
  mailed(to: string, subject: string): Promise<string>;
  /** Runs fw with the application's own settings. @throws unless it exits 0 */
  run(words: readonly string[], input?: string): Promise<Ran>;
  /** All that the server has logged. */
  output(): string;
  stop(): Promise<number | null>;
}

export async function openWorld(app: string, values: Record<string, string>): Promise<World> {
  const mails = await openServer({ authOptional: false });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { NODE_ENV: _, FW_SOURCE: __, NODE_OPTIONS: ___, SECRET_KEY_BASE: ____, ...clean } = process.env;
  const smtp = { SMTP_ADDRESS: "127.0.0.1", SMTP_PORT: String(mails.port), SMTP_USER: "shop", SMTP_PASSWORD: "right" };
  const own = { NODE_ENV: "production", HOST: "127.0.0.1", APP_URL: url, PARTNER_API_KEY: PARTNER_KEY, ...smtp };
  const env = { ...clean, ...own, ...values };
  const run = (words: readonly string[], input?: string) => runIn(app, env, words, input);
  await run(["db:migrate"]);
  const texts: string[] = [];
  const making = ["authlib:admin:create", robot.login, "--account=api_user", "--password-stdin"];
  const [{ child, output }] = await Promise.all([startAt(app, port, env), run(making, robot.password)]);
  return {
    url,
    mails,
    client: () => new Client(url),
    texts,
    async mailed(to, subject) {
      const text = await mailTo(mails, to, subject);
      texts.push(text);
      return linkIn(text, url);
    },
    run,
    output,
    async stop() {
      child.kill("SIGTERM");
      const code = await exitOf(child);
      await mails.close();
      return code;
    },
  };
}

/** The text of the last mail that fits; it is sent beside the request, so it may take a moment. */
async function mailTo({ received }: MailServer, to: string, subject: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const mail = received.findLast((one) => one.to.includes(to) && unfolded(one.raw).includes(subject));
    if (mail) {
      if (mail.user !== "shop") throw new Error("the mail was taken from somebody who had not signed in");
      received.splice(received.indexOf(mail), 1); // the next one that is asked for is another one
      return partsOf(mail.raw)["text/plain"]!;
    }
    await sleep(50);
  }
  const had = received.map((mail) => `${mail.to}: ${/^Subject: .*/im.exec(mail.raw)?.[0]}`);
  throw new Error(`no mail to ${to} says "${subject}"; there are: ${had.join("; ")}`);
}
const unfolded = (raw: string): string => raw.replaceAll(/\r\n[ \t]+/g, " ");

/** Links lead to APP_URL, whatever else a request says. */
function linkIn(text: string, url: string): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0];
  if (link === undefined) return "";
  if (!link.startsWith(`${url}/`)) throw new Error(`the link ${link} does not lead to ${url}`);
  return link.slice(url.length);
}
