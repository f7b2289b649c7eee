import { setTimeout as sleep } from "node:timers/promises";
import { headersOf, type MailServer, openServer, smtpTo } from "../plugins/mailer/support.ts";

/** A mail as the server accepted it. `id` is its Message-ID: the key by which a mailbox knows a mail that comes again. */
export interface Mail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** performance.now() when it was accepted. */
  readonly at: number;
}

const WAIT_MS = 20_000;
/** Milliseconds between two looks at what came. */
const LOOK_MS = 50;

/** A mail server that keeps all that it accepts. */
export class Inbox {
  readonly #server: MailServer;
  readonly #read: Mail[] = [];

  readonly #looking: NodeJS.Timeout;

  private constructor(server: MailServer) {
    this.#server = server;
    this.#looking = setInterval(() => this.mails, LOOK_MS);
  }
  static async start(): Promise<Inbox> {
    return new Inbox(await openServer());
  }
  get settings(): Record<string, string> {
    return smtpTo(this.#server);
  }
  get mails(): readonly Mail[] {
    for (const { raw, to } of this.#server.received.splice(0)) this.#read.push(mailOf(raw, to[0] ?? ""));
    return this.#read;
  }
  /** The path of the link in a mail to this address, once it is there. */
  async linkTo(address: string): Promise<string | undefined> {
    for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(100)) {
      const mail = this.mails.find(({ to }) => to === address);
      if (mail) return /https:\/\/shop\.test(\/[^\s<"]+)/.exec(mail.text)?.[1];
    }
    return undefined;
  }
  stop(): Promise<void> {
    clearInterval(this.#looking);
    return this.#server.close();
  }
}

function mailOf(raw: string, to: string): Mail {
  const headers = headersOf(raw);
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(headers)?.[1]?.trim() ?? "";
  const text = raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  return { id: header("Message-ID"), to, subject: header("Subject"), text, at: performance.now() };
}
