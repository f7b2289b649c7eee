import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  // Never quotes the address: it may be what an attacker made of one.
  FW_MAIL_ADDRESS: (what: string) =>
    `${what} is not one plain address, as in ada@example.com. Validate it before a mail is made.`,
  FW_MAIL_SMTP: () =>
    "no mail can be sent: SMTP_ADDRESS is not set. Set it (and SMTP_USER, SMTP_PASSWORD), then run: fw jobs:retry all",
});
