import type { PersonalSource } from "framewright/plugins/personal_data";
import type { KeptMail } from "./contract.ts";

/** Mails that development shows: those to the person, and those that name them. */
export const keptMailSource = (kept: KeptMail[]): PersonalSource => ({
  name: "kept_mails",
  async erase({ person, afterCommit, anonymised }) {
    const isOfPerson = ({ to, subject, text, html }: KeptMail) =>
      to.toLowerCase() === person.login.toLowerCase() ||
      [subject, text, html ?? ""].some((one) => anonymised(one) !== one);
    afterCommit(() => {
      const others = kept.filter((mail) => !isOfPerson(mail));
      kept.splice(0, kept.length, ...others);
    });
  },
});
