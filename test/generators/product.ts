import { assert } from "../support/index.ts";
import { Client } from "../testing/client.ts";

export const PASSWORD = "correct horse battery staple";

/** A served product of `fw:saas:setup` whose accounts are customers: what people do by its pages. */
export class Product {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }

  /** The text of the newest mail to an address whose subject says this. */
  async mail(to: string, subject: string): Promise<string> {
    for (const end = Date.now() + 10_000; Date.now() < end; await new Promise((done) => setTimeout(done, 50))) {
      const listed = await fetch(`${this.url}/_fw/mails.json`);
      const mails = (await listed.json()) as { to: string; subject: string; text: string }[];
      const found = mails.find((mail) => mail.to === to && mail.subject.includes(subject));
      if (found) return found.text;
    }
    throw new Error(`no mail to ${to} says "${subject}"`);
  }
  /** The path of the link in that mail. */
  async mailed(to: string, subject: string): Promise<string> {
    const text = await this.mail(to, subject);
    const link = /https?:\/\/[^/\s]+(\/\S+)/.exec(text)?.[1];
    assert.ok(link, text);
    return link!;
  }
  async signUp(login: string): Promise<Client> {
    const client = new Client(this.url);
    const chosen = { password: PASSWORD, password_confirmation: PASSWORD };
    await client.submit("/customers/create-account", { login, ...chosen });
    const verified = await client.submit(await this.mailed(login, "Verify your address"), chosen);
    assert.is(verified.status, 303, await verified.text());
    return client;
  }
  async signIn(login: string): Promise<Client> {
    const client = new Client(this.url);
    assert.is((await client.submit("/customers/login", { login, password: PASSWORD })).status, 303);
    return client;
  }
}
