import type { AuthlibBase } from "./base.ts";

/** The sections of the account's overview, in order. */
const names = ["verification", "sign_in", "protection", "devices", "data", "history"] as const;
/** The sections of the account's page. */
export type SectionName = (typeof names)[number];

/** A line of the account's overview: a state, and the page that changes it. */
export interface AccountLine {
  section: SectionName;
  /** Its subject: "password", "otp", … */
  name: string;
  label: string;
  text: string;
  /** A time, shown after the text. */
  at?: Date;
  /** "warning" where the person should act. */
  level?: "warning" | "success";
  /** The text of the level. */
  state?: string;
  /** Below `/<account_plural>/`. */
  page?: string;
  /** The text of its button; by default "Change". */
  action?: string;
}
/** A section of the account's page. */
export interface AccountSection {
  name: SectionName;
  title: string;
  lines: (Omit<AccountLine, "page"> & { url?: string })[];
}

/** The lines by section; sections without any are left out. */
export function sectionsOf(authlib: AuthlibBase, lines: readonly AccountLine[]): AccountSection[] {
  const present = names.filter((name) => lines.some(({ section }) => section === name));
  return present.map((name) => ({
    name,
    title: authlib.t(`account.${name}`), // that of a section of a plugin is the plugin's
    lines: lines
      .filter(({ section }) => section === name)
      .map(({ page, ...line }) => ({ ...line, ...(page === undefined ? {} : { url: authlib.type.path(page) }) })),
  }));
}
