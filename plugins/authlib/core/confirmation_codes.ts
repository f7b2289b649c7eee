import { randomInt } from "node:crypto";
import type { Knex, Transaction } from "framewright/plugins/database";
import type { ReturnLocation } from "./return_location.ts";
import type { SignIn } from "./sign_in.ts";

const LIFETIME_MS = 10 * 60_000;
const MAX_TRIES = 5;
const table = "active_session_keys";

/** Confirmation codes mailed to people without a password: valid once, for ten minutes, for the sign-in that requested them. */
export class ConfirmationCodes {
  readonly #authlib: ReturnLocation;

  constructor(authlib: ReturnLocation) {
    this.#authlib = authlib;
  }

  /** Stores a new code of eight digits, which replaces the previous one, with the mail that `send` enqueues. @throws HttpError 429 */
  async make(send: (code: string, transaction: Transaction) => Promise<void>): Promise<void> {
    const { type, account, request } = this.#authlib;
    await type.services.limits.consume("mail", `confirmation ${type.name} ${account!.id}`, request.address);
    const code = String(randomInt(100_000_000)).padStart(8, "0");
    await this.#authlib.transaction(async (transaction) => {
      await this.#row(transaction).update({
        confirmation_digest: type.services.digests.digest(this.#subject(code)),
        confirmation_deadline: new Date(Date.now() + LIFETIME_MS),
        confirmation_tries: 0,
      });
      await send(code, transaction);
    });
  }
  /** Consumes a code; false where it is wrong. Parallel guesses are all counted. */
  async take(code: string): Promise<boolean> {
    const { type } = this.#authlib;
    const digests = type.services.digests.all(this.#subject(code.replaceAll(/\D/g, "")));
    const counted = await this.#valid().increment("confirmation_tries", 1);
    if (counted === 0) return false;
    const taken = await this.#row().whereIn("confirmation_digest", digests).update({ confirmation_digest: null });
    if (taken === 0) await this.#authlib.emitEvent("login_failed", { by: "confirmation code" });
    return taken > 0;
  }
  async isSent(): Promise<boolean> {
    return (await this.#authlib.type.services.database.rows(this.#valid().select("id"))).length > 0;
  }

  #row(connection: Knex = this.#authlib.knex) {
    const { id } = this.#authlib.signIn as SignIn;
    return connection(this.#authlib.type.table(table)).where({ id });
  }
  #valid() {
    return this.#row()
      .whereNotNull("confirmation_digest")
      .where("confirmation_deadline", ">", new Date())
      .where("confirmation_tries", "<", MAX_TRIES);
  }
  #subject(code: string): string {
    return `confirmation ${this.#authlib.type.name} ${this.#authlib.signIn!.id} ${code}`;
  }
}
