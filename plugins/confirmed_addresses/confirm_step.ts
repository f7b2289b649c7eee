import { FramewrightError, type ParamValue } from "framewright/host";
import type { SentStep } from "framewright/plugins/wizards";
import type { Codes, Place } from "./codes.ts";
import { addressOf, asConfirmed, codeName, sendName } from "./confirmed_email.ts";
import type { MailCode } from "./mail_code.ts";

/** The type of the fields that this plugin confirms. */
export const TYPE = "confirmed_email";

interface Parts {
  readonly codes: Codes;
  readonly mailCode: MailCode;
}

/** Confirms the addresses of a step that was sent, or reports what is missing; a code is mailed where an address has none. */
export async function confirmStep(parts: Parts, step: SentStep): Promise<void> {
  for (const { name, type } of step.step.fields) if (type === TYPE) await confirmField(parts, step, name);
}

async function confirmField({ codes, mailCode }: Parts, step: SentStep, name: string): Promise<void> {
  const { run, sent, before, errors, pending, controller } = step;
  const address = addressOf(own(sent, name));
  if (address === undefined) return; // none, or not an address, as reading it reports
  const place: Place = { run: run.id, field: `${step.step.key}.${name}` };
  const confirm = () => {
    sent[name] = asConfirmed(address);
  };
  const refuse = (problem: string, count?: number) => {
    errors[name] = [controller.t(`confirmed_addresses.${problem}`, { count })];
  };
  if (before[name] === address) return confirm();
  const state = await codes.state(place, address);
  if (state === "confirmed") return confirm();
  const code = codeOf(own(sent, codeName(name)));
  if (state !== "none" && (own(sent, sendName(name)) ?? "") === "") {
    if (state === "used_up") return refuse("code_used_up");
    if (code === "") return refuse("code_missing");
    return (await codes.enter(place, address, code)) ? confirm() : refuse("code_wrong");
  }
  try {
    const wait = await mailCode(place, address, controller.request, controller.currentScopedEntity);
    if (wait !== undefined) return refuse("too_many", Math.ceil(wait / 60));
    const text = state === "none" && code !== "" ? "sent_again" : "sent";
    pending[name] = { text: `confirmed_addresses.${text}`, vars: { address } };
  } catch (error) {
    if (!(error instanceof FramewrightError && error.code === "FW_MAIL_ADDRESS")) throw error;
    errors[name] = [controller.t("errors.invalid")];
  }
}

const own = (sent: SentStep["sent"], name: string): ParamValue | undefined =>
  Object.hasOwn(sent, name) ? sent[name] : undefined;
/** The digits that were entered, without the spaces that mails and keyboards add. */
const codeOf = (given: ParamValue | undefined): string =>
  typeof given === "string" || typeof given === "number" ? String(given).slice(0, 40).replaceAll(/[\s-]/g, "") : "";
