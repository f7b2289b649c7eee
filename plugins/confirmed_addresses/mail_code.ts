import { networkOf, type RequestContext } from "framewright/host";
import type { Database } from "framewright/plugins/database";
import type { Limiter, LimitRule, Limits } from "framewright/plugins/limits";
import type { Mailer } from "framewright/plugins/mailer";
import type { Codes, Place } from "./codes.ts";

/** How many codes are mailed. */
export interface MailLimits {
  readonly perAddress: LimitRule;
  readonly perClient: LimitRule;
  readonly perRun: LimitRule;
}
/** Mails a code to an address; resolves with the seconds to wait where too many were mailed. @throws FW_MAIL_ADDRESS */
export type MailCode = (
  place: Place,
  address: string,
  request: RequestContext,
  tenant: object | undefined,
) => Promise<number | undefined>;

interface Parts {
  readonly codes: Codes;
  readonly database: Database;
  readonly limits: Limits;
  readonly mailer: Mailer;
  readonly minutes: number;
}

export function codeMailer({ codes, database, limits, mailer, minutes }: Parts, rules: MailLimits): MailCode {
  const open = (name: string, rule: LimitRule): Limiter => limits.open(`confirmed_addresses.${name}`, rule);
  const [client, run, recipient] = [
    open("client", rules.perClient),
    open("run", rules.perRun),
    open("address", rules.perAddress),
  ];
  return async (place, address, request, tenant) => {
    const wait =
      (await run.consume(String(place.run))) ??
      (await client.consume(networkOf(request.address))) ??
      (await recipient.consume(address.toLowerCase()));
    if (wait !== undefined) return wait;
    const application = request.t("application.name");
    await database.transaction(async (transaction) => {
      const code = await codes.create(place, address, Date.now() + minutes * 60_000, transaction);
      await mailer.deliver({
        to: address,
        names: ["confirmed_addresses/code"],
        subject: request.t("confirmed_addresses.mail_subject", { application }),
        locals: { address, code, minutes },
        locale: request.locale,
        tenant,
        transaction,
      });
    });
    return undefined;
  };
}
