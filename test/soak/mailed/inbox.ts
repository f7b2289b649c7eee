import { setTimeout as sleep } from "node:timers/promises";
import { headersOf, type MailServer, partsOf } from "../../plugins/mailer/support.ts";
import { assert } from "../../support/index.ts";

/** A mail as the mail server got it. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The path of its link. */
  readonly link: string;
}

const WAIT_MS = 15_000;

/** What a mail server got from one application. */
export class Inbox {
  /** All mails that were looked at. */
  readonly all: Mail[] = [];
  readonly #server: MailServer;
  readonly #url: string;
  readonly #isSending: () => Promise<boolean>;

  /** `isSending`: whether a mail is still to be sent. */
  constructor(server: MailServer, url: string, isSending: () => Promise<boolean>) {
    this.#server = server;
    this.#url = url;
    this.#isSending = isSending;
  }

  /**
   * The mails since the last look, once all are sent: these and no other, whatever their order. Each is given by whom it
   * is to and how its subject begins; they come back as they were asked for. Every link leads to the application.
   */
  async expect(...wanted: readonly (readonly [to: string, subject: string])[]): Promise<Mail[]> {
    const { received } = this.#server;
    for (const until = Date.now() + WAIT_MS; Date.now() < until; await sleep(50))
      if (received.length >= wanted.length && !(await this.#isSending())) break;
    const came = received.splice(0).map((mail) => this.#read(mail.raw, mail.to));
    this.all.push(...came);
    const beginning = ({ to, subject }: Mail) => {
      const fits = wanted.find(([who, start]) => who === to && subject.startsWith(start));
      return `${to}: ${fits ? fits[1] : subject}`;
    };
    const lines = wanted.map(([to, subject]) => `${to}: ${subject}`);
    assert.equal(came.map(beginning).sort(), [...lines].sort());
    return lines.map((line) => came.find((mail) => beginning(mail) === line)!);
  }

  #read(raw: string, [to = "", ...others]: readonly string[]): Mail {
    assert.equal(others, [], "a mail has one recipient");
    const { "text/plain": text = "", "text/html": html = "" } = partsOf(raw);
    const links = [...`${text}\n${html}`.matchAll(/https?:\/\/[^\s"'<>]+/g)].map(([link]) => link);
    for (const link of links) assert.ok(link.startsWith(`${this.#url}/`), `${link} leads elsewhere`);
    const paths = new Set(links.map((link) => link.slice(this.#url.length).replaceAll("&amp;", "&")));
    assert.ok(paths.size <= 1, `one mail, one link: ${[...paths].join(" ")}`);
    return { to, subject: /^Subject: (.*)$/m.exec(headersOf(raw))![1]!.trim(), text, html, link: [...paths][0] ?? "" };
  }
}
