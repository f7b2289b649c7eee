import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  // Never quotes the address, which may come from an attacker.
  FW_MAIL_ADDRESS: (what: string) =>
    `${what} is not one plain address, as in ada@example.com. Validate it before you send a mail.`,
  FW_MAIL_FILE: (what: string) => `${what}.`,
  FW_MAIL_SMTP: () =>
    "no mail can be sent: SMTP_ADDRESS is not set. Set it (and SMTP_USER, SMTP_PASSWORD), then run: fw jobs:retry all",
});
