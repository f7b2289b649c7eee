import type { Reply } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import type { ReportedFailure } from "../events.ts";
import { Confirmation } from "./confirmation.ts";
import type { SignIn } from "./sessions.ts";

/** Steps by their earlier names. */
const renamedSteps = {
  tell: "emitEvent",
  mayTry: "isLoginAllowed",
  report: "reportFailure",
  deadLink: "expiredLink",
  lookIntoYourMail: "checkYourMail",
  askForMore: "requirePendingStep",
  letPast: "bypassLockout",
  isLetPast: "isLockoutBypassed",
  mailExists: "mailAccountExists",
  passwordMade: "passwordMatchesHash",
} as const;

const base = Confirmation.prototype;

/**
 * Steps under their earlier names, for one version. `aliasRenamedSteps` gives every class in front of this one both names,
 * so that an override of either is called; these methods only run where nobody overrides the step.
 */
export class RenamedSteps extends Confirmation {
  /** @deprecated `emitEvent` */
  tell(...given: Parameters<Confirmation["emitEvent"]>): Promise<void> {
    return base.emitEvent.apply(this, given);
  }
  /** @deprecated `isLoginAllowed` */
  mayTry(login: string): Promise<boolean> {
    return base.isLoginAllowed.call(this, login);
  }
  /** @deprecated `reportFailure` */
  report(failure: ReportedFailure): Promise<void> {
    return base.reportFailure.call(this, failure);
  }
  /** @deprecated `expiredLink` */
  deadLink(page: string, label?: string): Reply {
    return base.expiredLink.call(this, page, label);
  }
  /** @deprecated `checkYourMail` */
  lookIntoYourMail(again: string): Reply {
    return base.checkYourMail.call(this, again);
  }
  /** @deprecated `requirePendingStep` */
  askForMore(pending: NonNullable<SignIn["pending"]>): Reply {
    return base.requirePendingStep.call(this, pending);
  }
  /** @deprecated `bypassLockout` */
  letPast(account: AccountRecord): Promise<void> {
    return base.bypassLockout.call(this, account);
  }
  /** @deprecated `isLockoutBypassed` */
  isLetPast(login: string): boolean {
    return base.isLockoutBypassed.call(this, login);
  }
  /** @deprecated `mailAccountExists` */
  mailExists(account: AccountRecord, transaction: Transaction): Promise<void> {
    return base.mailAccountExists.call(this, account, transaction);
  }
  /** @deprecated `passwordMatchesHash` */
  passwordMade(password: string, hash: string): Promise<boolean> {
    return base.passwordMatchesHash.call(this, password, hash);
  }
}

/**
 * Defines each renamed step under both names on every class between an account plugin and RenamedSteps that defines it
 * under one. `super` then finds the next class's step under either name.
 */
export function aliasRenamedSteps(cls: { readonly prototype: object }): void {
  for (let at = cls.prototype; at !== RenamedSteps.prototype && at !== null; at = Object.getPrototypeOf(at))
    for (const [before, now] of Object.entries(renamedSteps)) {
      copyStep(at, before, now);
      copyStep(at, now, before);
    }
}

function copyStep(prototype: object, from: string, to: string): void {
  const step = Object.getOwnPropertyDescriptor(prototype, from);
  if (step && !Object.hasOwn(prototype, to)) Object.defineProperty(prototype, to, step);
}
