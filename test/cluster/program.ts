import { type Ledger, outcomeOf } from "./ledger.ts";
import { PASSWORD, type Person } from "./people.ts";
import { pause, type Visitor } from "./visitor.ts";

const json = { accept: "application/json", "content-type": "application/json" };
/** A spent token is answered once more within ten seconds. */
const TRIES = 4;

interface ProgramOptions {
  readonly visitor: Visitor;
  readonly ledger: Ledger;
  readonly person: Person;
}

/** A program of a person, which signs in for tokens and refreshes them. */
export class Program {
  readonly #options: ProgramOptions;
  #token = "";
  #access = "";

  constructor(options: ProgramOptions) {
    this.#options = options;
  }
  async enter(): Promise<void> {
    const { visitor, person } = this.#options;
    visitor.sending = { kind: "sign-in" };
    const answer = await this.#post("/api_users/login", { login: person.login, password: PASSWORD });
    if (answer.status !== 200) throw new Error(`the program of ${person.login} could not sign in: ${answer.status}`);
    await this.#keep(answer);
  }
  /** A refresh whose answer does not come is sent again with the same token; what comes then must work. */
  async refresh(): Promise<void> {
    const { visitor, ledger, person } = this.#options;
    visitor.sending = { kind: "refresh" };
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const answer = await this.#post("/api_users/jwt-refresh", { refresh_token: this.#token });
      if (answer.status === 200) {
        await this.#keep(answer);
        const item = ledger.add("refresh", `${person.login} ${ledger.now()}`);
        item.outcome = "ok";
        const me = await visitor.request("/me", { headers: { ...json, authorization: `Bearer ${this.#access}` } });
        if (outcomeOf(me) === "failed") return;
        if (!(await me.text()).includes(person.login)) ledger.broken.push(`${item.mark}: the new token is nobody's`);
        return;
      }
      if (outcomeOf(answer) !== "failed") {
        ledger.broken.push(`the refresh of ${person.login} is ${answer.status}, at attempt ${attempt}`);
        return this.enter();
      }
      await pause(answer);
    }
  }
  async leave(): Promise<string[]> {
    const { visitor, person } = this.#options;
    visitor.sending = { kind: "refresh" };
    const { status } = await this.#post("/api_users/jwt-refresh", { refresh_token: this.#token });
    visitor.close();
    return status === 200 ? [] : [`the last token of ${person.login} is answered ${status}`];
  }
  async #keep(answer: Response): Promise<void> {
    const { access_token, refresh_token } = (await answer.json()) as { access_token: string; refresh_token: string };
    this.#access = access_token;
    this.#token = refresh_token;
  }
  #post(path: string, body: object): Promise<Response> {
    return this.#options.visitor.request(path, { method: "POST", headers: json, body: JSON.stringify(body) });
  }
}
