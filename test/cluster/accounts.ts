import type { Inbox } from "./inbox.ts";
import { type Ledger, outcomeOf } from "./ledger.ts";
import { PASSWORD, type Person } from "./people.ts";
import { locationOf, type Visitor } from "./visitor.ts";

interface AccountsOptions {
  /** A new visitor from an address of its own. */
  visitor(number: number): Visitor;
  readonly ledger: Ledger;
  readonly inbox: Inbox;
  readonly person: Person;
  readonly tenant: string;
}
const passwords = { password: PASSWORD, password_confirmation: PASSWORD };

/** What somebody does who is not signed in: signs up and opens the mailed link, or signs in and out on another device. */
export class Accounts {
  readonly #options: AccountsOptions;
  #count = 0;

  constructor(options: AccountsOptions) {
    this.#options = options;
  }
  async signUp(): Promise<void> {
    const { ledger, inbox, person, tenant } = this.#options;
    await this.#visit(async (visitor) => {
      const login = `${ledger.mark(tenant, person.number)}@new.test`;
      const form = await visitor.form("/customers/create-account");
      if (!form) return;
      visitor.sending = { kind: "sign-up" };
      const item = ledger.add("sign-up", login);
      item.outcome = outcomeOf(await visitor.send(form, { login, ...passwords }));
      if (item.outcome !== "ok") return;
      const link = await inbox.linkTo(login);
      const opened = link === undefined ? undefined : await visitor.form(link);
      if (!opened) return;
      visitor.sending = { kind: "verification" };
      const verified = ledger.add("verification", login);
      verified.outcome = outcomeOf(await visitor.send(opened, passwords));
    });
  }
  async signIn(): Promise<void> {
    const { ledger, person } = this.#options;
    await this.#visit(async (visitor) => {
      const form = await visitor.form("/customers/login");
      if (!form) return;
      visitor.sending = { kind: "sign-in" };
      if (outcomeOf(await visitor.send(form, { login: person.login, password: PASSWORD })) !== "ok") return;
      const page = await visitor.request("/dashboard");
      if (page.status === 303 && !/^\/dashboard\/\d+$/.test(locationOf(page)))
        ledger.broken.push(`${person.login} signed in, and is sent to ${locationOf(page)}`);
      const menu = await visitor.form("/customers/logout");
      if (!menu) return;
      visitor.sending = { kind: "sign-out" };
      if (outcomeOf(await visitor.send(menu, {})) !== "ok") return;
      const after = await visitor.request("/dashboard");
      if (after.status === 303 && !locationOf(after).startsWith("/customers/login"))
        ledger.broken.push(`${person.login} signed out, and is sent to ${locationOf(after)}`);
    });
  }
  async #visit(story: (visitor: Visitor) => Promise<void>): Promise<void> {
    const { visitor, person } = this.#options;
    const guest = visitor(person.number + 100 * (this.#count++ % 50));
    try {
      await story(guest);
    } finally {
      guest.close();
    }
  }
}
